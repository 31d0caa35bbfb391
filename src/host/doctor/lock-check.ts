import type { DoctorCheck } from '../../contract/model.ts';
import { say } from '../../language/say.ts';
import { isProcessAlive } from '../../platform/process-signals.ts';
import { readHolder } from '../../services/db/host-lock.ts';
import type { HostPorts } from '../host-ports.ts';

/** Reports the holder of the lock. In the mode `look` a holder did not answer. */
export function checkLock(home: string, mode: HostPorts['mode']): DoctorCheck {
  const check = { id: 'lock', title: say('doctor.host') } as const;
  if (mode === 'full')
    return { ...check, status: 'ok', detail: say('doctor.hostHasFolder', { pid: process.pid }) };
  const holder = readHolder(home);
  if (mode !== 'look' || !holder || !isProcessAlive(holder.pid)) {
    return { ...check, status: 'ok', detail: say('doctor.folderFree') };
  }
  return {
    ...check,
    status: 'warn',
    detail: say('doctor.holderSilent', { pid: holder.pid }),
    hint: say('doctor.endHolder'),
  };
}
