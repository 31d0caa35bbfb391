import type { DoctorCheck } from '../../contract/model.ts';
import { isProcessAlive } from '../../platform/process-signals.ts';
import { readHolder } from '../../services/db/host-lock.ts';
import type { HostPorts } from '../host-ports.ts';

/** Reports the holder of the lock. In the mode `look` a holder did not answer. */
export function checkLock(home: string, mode: HostPorts['mode']): DoctorCheck {
  const check = { id: 'lock', title: 'Host' } as const;
  if (mode === 'full')
    return { ...check, status: 'ok', detail: `This host has the folder (pid ${process.pid}).` };
  const holder = readHolder(home);
  if (mode !== 'look' || !holder || !isProcessAlive(holder.pid)) {
    return { ...check, status: 'ok', detail: 'Kennel is not running; the folder is free.' };
  }
  return {
    ...check,
    status: 'warn',
    detail: `Process ${holder.pid} seems to have the folder and does not answer.`,
    hint: 'If it is not Kennel, the next start takes the folder all the same; if it is and hangs, end it.',
  };
}
