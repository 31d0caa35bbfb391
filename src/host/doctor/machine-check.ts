import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { hintOf, messageOf } from '../../contract/errors.ts';
import type { DoctorCheck, HostView } from '../../contract/model.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { HostPorts } from '../host-ports.ts';

type VaultKind = HostView['vault']['kind'];

const lowDiskBytes = 200 * 1024 * 1024;

function checkFolder(home: string): DoctorCheck {
  const check = { id: 'folder', title: say('doctor.dataFolder') } as const;
  if (!existsSync(home)) return { ...check, status: 'ok', detail: say('doctor.folderLater', { path: home }) };
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return {
      ...check,
      status: 'fail',
      detail: say('doctor.folderNotWritable', { path: home }),
      hint: say('storage.checkOwnerPermissions'),
    };
  }
  const mode = statSync(home).mode & 0o777;
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    const detail = say('doctor.folderOpen', { path: home, mode: mode.toString(8) });
    return { ...check, status: 'warn', detail, hint: say('doctor.nextStartCloses') };
  }
  return { ...check, status: 'ok', detail: say('doctor.folderYours', { path: home }) };
}

const nearestFolder = (path: string): string => (existsSync(path) ? path : nearestFolder(dirname(path)));

/** Decimal units, as file managers show them: "72 GB free". */
export function freeText(bytes: number): HostText {
  if (bytes < 1e9) return say('doctor.free', { amount: `${Math.round(bytes / 1e6)} MB` });
  const amount = bytes < 1e12 ? `${Math.round(bytes / 1e9)} GB` : `${(bytes / 1e12).toFixed(1)} TB`;
  return say('doctor.free', { amount });
}

function checkDisk(home: string): DoctorCheck {
  const check = { id: 'disk', title: say('doctor.freeSpace') } as const;
  try {
    const { bavail, bsize } = statfsSync(nearestFolder(home));
    const free = bavail * bsize;
    const detail = freeText(free);
    if (free < lowDiskBytes) return { ...check, status: 'warn', detail, hint: say('doctor.makeSpace') };
    return { ...check, status: 'ok', detail };
  } catch {
    return { ...check, status: 'warn', detail: say('doctor.notMeasured') };
  }
}

export type MachineCheckDeps = Pick<HostPorts, 'home' | 'loadCrypto' | 'loadKeychain'>;

async function checkCrypto({ loadCrypto }: MachineCheckDeps): Promise<DoctorCheck> {
  const engine = await loadCrypto();
  const check = { id: 'crypto', title: say('doctor.cryptography') } as const;
  return engine.ok
    ? { ...check, status: 'ok', detail: say('doctor.engineAgrees', { name: engine.value.name }) }
    : {
        ...check,
        status: 'fail',
        detail: messageOf(engine.error),
        hint: hintOf(engine.error),
      };
}

async function checkKeychain({ loadKeychain }: MachineCheckDeps, vault: VaultKind): Promise<DoctorCheck> {
  const check = { id: 'keychain', title: say('doctor.keychain') } as const;
  if (vault === 'passphrase') return { ...check, status: 'ok', detail: say('doctor.keychainUnused') };
  const missing: DoctorCheck = {
    ...check,
    status: 'warn',
    detail: say('doctor.noKeychain'),
    hint: say('doctor.setPassphrase'),
  };
  const keychain = await loadKeychain();
  if (!keychain) return missing;
  const probe = await keychain.get('kennel-probe');
  return probe.ok
    ? { ...check, status: 'ok', detail: keychain.backend }
    : { ...missing, detail: messageOf(probe.error) };
}

export async function checkMachine(deps: MachineCheckDeps, vault: VaultKind): Promise<DoctorCheck[]> {
  return [
    {
      id: 'runtime',
      title: say('doctor.runtime'),
      status: Number(process.versions.napi ?? 0) >= 10 ? 'ok' : 'warn',
      detail: `Node ${process.versions.node}, Node-API ${process.versions.napi ?? '?'}, ${process.platform} ${process.arch}`,
    },
    checkFolder(deps.home),
    checkDisk(deps.home),
    await checkCrypto(deps),
    await checkKeychain(deps, vault),
  ];
}
