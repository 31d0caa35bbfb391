/** `master.json`: describes the storage of the master key. By itself it opens nothing. */

import { join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { tryJson } from '../../core/lib/json-as.ts';
import type { DiskPort, VaultKind } from '../../core/ports.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { scryptSchema } from './passphrase-key.ts';

const base = {
  version: z.literal(1),
  /** Names the keychain item, so that two data folders do not share one. */
  id: z.string().regex(/^[0-9a-f-]{36}$/),
  /** A known text wrapped with the master key; distinguishes a wrong key from damaged secrets. */
  check: z.string(),
  /** Earlier master keys, each wrapped with the current one. */
  retired: z.array(z.string()).default([]),
};

const masterSchema = z.discriminatedUnion('kind', [
  z.object({ ...base, kind: z.literal('keychain'), backend: z.string() }),
  z.object({ ...base, kind: z.literal('passphrase'), scrypt: scryptSchema, master: z.string() }),
  z.object({ ...base, kind: z.literal('demo-file') }),
]);
export type MasterFile = z.infer<typeof masterSchema>;

const maxBytes = 64 * 1024;
export const masterPath = (home: string): string => join(home, 'master.json');
/** The demo's plain key (0600), because of which real secrets are refused. */
export const demoKeyPath = (home: string): string => join(home, 'master.key');
export const keychainAccount = (id: string): string => `master-key-${id}`;

/** `null` if no vault exists yet. An unreadable file stays unchanged: without it all secrets are lost. */
export function readMaster(disk: DiskPort, home: string): Result<MasterFile | null> {
  const path = masterPath(home);
  const text = disk.readText(path, maxBytes);
  if (!text.ok || text.value === null) return text.ok ? ok(null) : text;
  const parsed = masterSchema.safeParse(tryJson(text.value));
  if (parsed.success) return ok(parsed.data);
  return err(
    fail('corrupt', 'secrets.vaultFileUnreadable', {}, { help: 'secrets.restoreVaultFile', where: path }),
  );
}

export const writeMaster = (disk: DiskPort, home: string, file: MasterFile): Result<void> =>
  disk.write(masterPath(home), `${JSON.stringify(file, null, 2)}\n`);

export interface VaultState {
  readonly kind: VaultKind | 'none';
  readonly backend: string;
  /** A message for the user, or empty. */
  readonly note: HostText;
}

const demoNote = say('secrets.demoKey');

/** The kind of storage for secrets, without opening the vault. */
export function vaultState(disk: DiskPort, home: string): VaultState {
  const file = readMaster(disk, home);
  if (!file.ok) return { kind: 'none', backend: '', note: messageOf(file.error) };
  const master = file.value;
  if (master === null) return { kind: 'none', backend: '', note: '' };
  if (master.kind === 'keychain') return { kind: 'keychain', backend: master.backend, note: '' };
  return { kind: master.kind, backend: master.kind, note: master.kind === 'demo-file' ? demoNote : '' };
}
