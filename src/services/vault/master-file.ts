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
export const keychainAccount = (id: string): string => `master-key-${id}`;

/** The files of the vault in a data folder. */
export interface MasterFiles {
  /** `null` if no vault exists yet. An unreadable file stays unchanged: without it all secrets are lost. */
  read(): Result<MasterFile | null>;
  write(file: MasterFile): Result<void>;
  remove(): Result<void>;
  /** The demo's plain key (0600), because of which real secrets are refused. */
  readonly demoKey: TextFile;
}

interface TextFile {
  readonly path: string;
  /** `null` if the file does not exist. */
  read(): Result<string | null>;
  write(text: string): Result<void>;
  remove(): Result<void>;
}

const maxKeyBytes = 1_000;

const textFile = (disk: DiskPort, path: string, most: number): TextFile => ({
  path,
  read: () => disk.readText(path, most),
  write: (text) => disk.write(path, text),
  remove: () => disk.remove(path),
});

export function createMasterFiles(disk: DiskPort, home: string): MasterFiles {
  const master = textFile(disk, join(home, 'master.json'), maxBytes);
  return {
    read() {
      const text = master.read();
      if (!text.ok || text.value === null) return text.ok ? ok(null) : text;
      const parsed = masterSchema.safeParse(tryJson(text.value));
      if (parsed.success) return ok(parsed.data);
      const where = master.path;
      return err(
        fail('corrupt', 'secrets.vaultFileUnreadable', {}, { help: 'secrets.restoreVaultFile', where }),
      );
    },
    write: (file) => master.write(`${JSON.stringify(file, null, 2)}\n`),
    remove: () => master.remove(),
    demoKey: textFile(disk, join(home, 'master.key'), maxKeyBytes),
  };
}

export interface VaultState {
  readonly kind: VaultKind | 'none';
  readonly backend: string;
  /** A message for the user, or empty. */
  readonly note: HostText;
}

const demoNote = say('secrets.demoKey');

/** The kind of storage for secrets, without opening the vault. */
export function vaultState(files: Pick<MasterFiles, 'read'>): VaultState {
  const file = files.read();
  if (!file.ok) return { kind: 'none', backend: '', note: messageOf(file.error) };
  const master = file.value;
  if (master === null) return { kind: 'none', backend: '', note: '' };
  if (master.kind === 'keychain') return { kind: 'keychain', backend: master.backend, note: '' };
  return { kind: master.kind, backend: master.kind, note: master.kind === 'demo-file' ? demoNote : '' };
}
