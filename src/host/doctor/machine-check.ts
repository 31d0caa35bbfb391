import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DoctorCheck, HostView } from '../../contract/model.ts';
import type { HostPorts } from '../host-ports.ts';

type VaultKind = HostView['vault']['kind'];

const lowDiskBytes = 200 * 1024 * 1024;

function checkFolder(home: string): DoctorCheck {
  const check = { id: 'folder', title: 'Data folder' } as const;
  if (!existsSync(home)) return { ...check, status: 'ok', detail: `${home} will be made when it is needed.` };
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return {
      ...check,
      status: 'fail',
      detail: `${home} cannot be written.`,
      hint: 'Check its owner and permissions.',
    };
  }
  const mode = statSync(home).mode & 0o777;
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    const detail = `${home} is open to others (mode ${mode.toString(8)}).`;
    return { ...check, status: 'warn', detail, hint: 'The next start of the host closes it.' };
  }
  return { ...check, status: 'ok', detail: `${home} is yours alone.` };
}

const nearestFolder = (path: string): string => (existsSync(path) ? path : nearestFolder(dirname(path)));

/** Decimal units, as file managers show them: "72 GB free". */
export function freeText(bytes: number): string {
  if (bytes < 1e9) return `${Math.round(bytes / 1e6)} MB free`;
  return bytes < 1e12 ? `${Math.round(bytes / 1e9)} GB free` : `${(bytes / 1e12).toFixed(1)} TB free`;
}

function checkDisk(home: string): DoctorCheck {
  const check = { id: 'disk', title: 'Free space' } as const;
  try {
    const { bavail, bsize } = statfsSync(nearestFolder(home));
    const free = bavail * bsize;
    const detail = freeText(free);
    if (free < lowDiskBytes) return { ...check, status: 'warn', detail, hint: 'Make some space soon.' };
    return { ...check, status: 'ok', detail };
  } catch {
    return { ...check, status: 'warn', detail: 'It could not be measured.' };
  }
}

export type MachineCheckDeps = Pick<HostPorts, 'home' | 'loadCrypto' | 'loadKeychain'>;

async function checkCrypto({ loadCrypto }: MachineCheckDeps): Promise<DoctorCheck> {
  const engine = await loadCrypto();
  const check = { id: 'crypto', title: 'Cryptography' } as const;
  return engine.ok
    ? { ...check, status: 'ok', detail: `${engine.value.name}; the known answers agree.` }
    : {
        ...check,
        status: 'fail',
        detail: engine.error.message,
        ...(engine.error.hint ? { hint: engine.error.hint } : {}),
      };
}

async function checkKeychain({ loadKeychain }: MachineCheckDeps, vault: VaultKind): Promise<DoctorCheck> {
  const check = { id: 'keychain', title: 'Keychain' } as const;
  if (vault === 'passphrase') return { ...check, status: 'ok', detail: 'Not used; you chose a passphrase.' };
  const missing: DoctorCheck = {
    ...check,
    status: 'warn',
    detail: 'This machine offers none.',
    hint: 'Set a passphrase with "kennel unlock" or KENNEL_PASSPHRASE before you use real identities.',
  };
  const keychain = await loadKeychain();
  if (!keychain) return missing;
  const probe = await keychain.get('kennel-probe');
  return probe.ok
    ? { ...check, status: 'ok', detail: keychain.backend }
    : { ...missing, detail: probe.error.message };
}

export async function checkMachine(deps: MachineCheckDeps, vault: VaultKind): Promise<DoctorCheck[]> {
  return [
    {
      id: 'runtime',
      title: 'Runtime',
      status: Number(process.versions.napi ?? 0) >= 10 ? 'ok' : 'warn',
      detail: `Node ${process.versions.node}, Node-API ${process.versions.napi ?? '?'}, ${process.platform} ${process.arch}`,
    },
    checkFolder(deps.home),
    checkDisk(deps.home),
    await checkCrypto(deps),
    await checkKeychain(deps, vault),
  ];
}
