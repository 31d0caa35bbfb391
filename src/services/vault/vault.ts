/**
 * Opens the vault of a data folder, or creates one. It promises never to replace a keychain or a passphrase
 * by something weaker (T20), to report what it waits for (F16), and to change nothing if it cannot open.
 */
import { randomUUID } from 'node:crypto';
import { textError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { equalBytes, fromBase64Url, fromUtf8, toBase64Url, utf8 } from '../../core/lib/bytes.ts';
import type { CryptoEngine, KeychainPort, SecretBox } from '../../core/ports.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { keychainAccount, type MasterFile, type MasterFiles } from './master-file.ts';
import { passphraseKey, type ScryptCosts, scryptCosts } from './passphrase-key.ts';
import { createSecretBox, masterKeyBytes, unwrapWith, wrapWith } from './secret-box.ts';

export interface VaultDeps {
  readonly files: MasterFiles;
  readonly crypto: CryptoEngine;
  /** `null` if the system has none. Must answer at some time: see `patientKeychain`. */
  readonly keychain: KeychainPort | null;
  readonly passphrase?: string;
  /** Allows creating a vault with a plain key file, for the demo profile alone. */
  readonly allowDemoFile: boolean;
  /** Costs of a new passphrase vault; the standard ones when absent. */
  readonly scrypt?: ScryptCosts;
}

const checkLabel = 'check';
const checkText = utf8('kennel vault');

const locked = (message: HostText, hint: HostText): Result<never> =>
  err(textError('locked', message, { hint }));

async function keychainMaster(
  deps: VaultDeps,
  file: MasterFile & { kind: 'keychain' },
): Promise<Result<Uint8Array>> {
  const { keychain } = deps;
  const hint = say('secrets.startWithKeychain');
  if (!keychain) {
    return locked(say('secrets.keychainMissing', { name: file.backend }), hint);
  }
  if (keychain.backend !== file.backend) {
    return locked(say('secrets.keychainMismatch', { name: file.backend, other: keychain.backend }), hint);
  }
  const found = await keychain.get(keychainAccount(file.id));
  if (!found.ok) return found.error.code === 'timeout' ? found : locked(found.error.message, hint);
  if (!found.value) {
    return locked(say('secrets.keychainKeyMissing', { name: file.backend }), hint);
  }
  return ok(found.value);
}

async function passphraseMaster(
  deps: VaultDeps,
  file: MasterFile & { kind: 'passphrase' },
): Promise<Result<Uint8Array>> {
  if (deps.passphrase === undefined) {
    return locked(say('secrets.passphraseRequired'), say('secrets.typePassphrase'));
  }
  const salt = fromBase64Url(file.scrypt.salt) ?? new Uint8Array();
  const key = await passphraseKey(deps.passphrase, salt, file.scrypt);
  const master = unwrapWith(deps.crypto, () => key, 'master', file.master);
  if (master.ok) return master;
  return err(fail('unauthenticated', 'secrets.wrongPassphrase', {}, { help: 'logins.tryAgain' }));
}

function demoMaster({ files: { demoKey } }: VaultDeps): Result<Uint8Array> {
  const text = demoKey.read();
  if (!text.ok) return text;
  const key = text.value === null ? null : fromBase64Url(text.value.trim());
  if (key?.length === masterKeyBytes) return ok(key);
  return locked(say('secrets.demoKeyMissing'), say('secrets.restoreDemoKey', { path: demoKey.path }));
}

function masterOf(deps: VaultDeps, file: MasterFile): Promise<Result<Uint8Array>> {
  if (file.kind === 'keychain') return keychainMaster(deps, file);
  return file.kind === 'passphrase' ? passphraseMaster(deps, file) : Promise.resolve(demoMaster(deps));
}

function boxOf(deps: VaultDeps, file: MasterFile, master: Uint8Array): Result<SecretBox> {
  const { crypto } = deps;
  const backend = file.kind === 'keychain' ? file.backend : file.kind;
  const check = unwrapWith(crypto, () => master, checkLabel, file.check);
  if (master.length !== masterKeyBytes || !check.ok || !equalBytes(check.value, checkText)) {
    return locked(say('secrets.wrongVaultKey', { name: backend }), say('secrets.nothingChanged'));
  }
  const retired = file.retired.map((wrapped) => unwrapWith(crypto, () => master, 'retired', wrapped));
  const keys = { current: master, retired: retired.flatMap((key) => (key.ok ? [key.value] : [])) };
  return ok(createSecretBox(crypto, file.kind, backend, keys));
}

type Holder = 'keychain' | 'passphrase' | 'demo-file';

const noKeychain = (): Result<never> =>
  err(
    fail('insecure_storage', 'secrets.protectionMissing', {}, { help: 'secrets.unlockOrChoosePassphrase' }),
  );

/**
 * Stores the master key with the chosen holder and records the holder in `master.json`; if this is `ok`, the
 * key can be read back.
 */
async function entrust(
  deps: VaultDeps,
  holder: Holder,
  master: Uint8Array,
  retired: readonly Uint8Array[],
): Promise<Result<SecretBox>> {
  const { crypto, files } = deps;
  const common = {
    version: 1,
    id: randomUUID(),
    check: wrapWith(crypto, master, checkLabel, checkText),
    retired: retired.map((key) => wrapWith(crypto, master, 'retired', key)),
  } as const;
  const file = await keep(deps, holder, master, common);
  if (!file.ok) return file;
  const written = files.write(file.value);
  return written.ok ? boxOf(deps, file.value, master) : written;
}

type Common = Pick<MasterFile, 'version' | 'id' | 'check' | 'retired'>;

async function keep(
  deps: VaultDeps,
  holder: Holder,
  master: Uint8Array,
  common: Common,
): Promise<Result<MasterFile>> {
  const { crypto, keychain, passphrase } = deps;
  if (holder === 'demo-file') {
    const written = deps.files.demoKey.write(`${toBase64Url(master)}\n`);
    return written.ok ? ok({ ...common, kind: 'demo-file' }) : written;
  }
  if (holder === 'passphrase') {
    if (passphrase === undefined || passphrase === '') return noKeychain();
    const salt = crypto.randomBytes(16);
    const costs = deps.scrypt ?? scryptCosts;
    const key = await passphraseKey(passphrase, salt, costs);
    const scrypt = { ...costs, salt: toBase64Url(salt) };
    return ok({ ...common, kind: 'passphrase', scrypt, master: wrapWith(crypto, key, 'master', master) });
  }
  if (!keychain) return noKeychain();
  const account = keychainAccount(common.id);
  const set = await keychain.set(account, master);
  if (!set.ok) return set;
  const back = await keychain.get(account);
  if (!back.ok) return back;
  if (!back.value || !equalBytes(back.value, master)) return noKeychain();
  return ok({ ...common, kind: 'keychain', backend: keychain.backend });
}

/** A given passphrase wins; else the keychain, if one exists; the demo file is the last resort. */
async function makeVault(deps: VaultDeps): Promise<Result<SecretBox>> {
  const master = deps.crypto.randomBytes(masterKeyBytes);
  if (deps.passphrase !== undefined) return entrust(deps, 'passphrase', master, []);
  const kept = deps.keychain ? await entrust(deps, 'keychain', master, []) : noKeychain();
  if (kept.ok || kept.error.code === 'disk_full' || kept.error.code === 'io_error') return kept;
  return deps.allowDemoFile ? entrust(deps, 'demo-file', master, []) : noKeychain();
}

/**
 * Errors: `locked` (keychain or passphrase needed), `unauthenticated` (wrong passphrase), `timeout` (keychain
 * silent), `insecure_storage` (no safe storage for a key), `corrupt`, and disk errors.
 */
export async function openVault(deps: VaultDeps): Promise<Result<SecretBox>> {
  const file = deps.files.read();
  if (!file.ok) return file;
  if (!file.value) return makeVault(deps);
  const master = await masterOf(deps, file.value);
  return master.ok ? boxOf(deps, file.value, master.value) : master;
}

export interface MoveVault {
  readonly to: 'keychain' | 'passphrase';
  /** The new passphrase, if the vault moves to one. */
  readonly newPassphrase?: string;
}

/**
 * Moves an open vault to a stronger holder; the old one stays valid until the new one is recorded. A master
 * key from the demo's file may be in a backup: it is retired, and opens only the secrets it wrapped before.
 */
export async function moveVault(
  deps: VaultDeps,
  { to, newPassphrase }: MoveVault,
): Promise<Result<SecretBox>> {
  const file = deps.files.read();
  if (!file.ok) return file;
  if (!file.value) return err(fail('not_found', 'secrets.vaultMissing'));
  const master = await masterOf(deps, file.value);
  if (!master.ok) return master;
  const opened = boxOf(deps, file.value, master.value);
  if (!opened.ok) return opened;
  const earlier = file.value.retired.map((key) =>
    unwrapWith(deps.crypto, () => master.value, 'retired', key),
  );
  const retired = earlier.flatMap((key) => (key.ok ? [key.value] : []));
  const exposed = file.value.kind === 'demo-file';
  const { passphrase: _old, ...rest } = deps;
  const moved = await entrust(
    newPassphrase === undefined ? rest : { ...rest, passphrase: newPassphrase },
    to,
    exposed ? deps.crypto.randomBytes(masterKeyBytes) : master.value,
    exposed ? [...retired, master.value] : retired,
  );
  if (!moved.ok) return moved;
  if (exposed) deps.files.demoKey.remove();
  else if (file.value.kind === 'keychain') await deps.keychain?.delete(keychainAccount(file.value.id));
  return moved;
}

export function unwrapText(box: SecretBox, label: string, wrapped: string): Result<string> {
  const bytes = box.unwrap(label, wrapped);
  if (!bytes.ok) return bytes;
  const text = fromUtf8(bytes.value);
  return text === null ? err(fail('corrupt', 'secrets.storedSecretNotText', {}, { where: label })) : ok(text);
}
