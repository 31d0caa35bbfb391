/** The key of an encrypted store, wrapped in a file beside it (`messages.db.key`), created at first use. */
import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { CryptoEngine, DiskPort, SecretBox } from '../../core/ports.ts';

export interface StoreKeyDeps {
  readonly disk: DiskPort;
  readonly crypto: CryptoEngine;
  readonly box: SecretBox;
}

const keyBytes = 32;

const hasContent = (path: string): boolean => existsSync(path) && statSync(path).size > 0;

/**
 * Returns 32 bytes. `corrupt` if the store exists and its key does not: a new key would make the store
 * unreadable forever.
 */
export function storeKey({ disk, crypto, box }: StoreKeyDeps, storePath: string): Result<Uint8Array> {
  const path = `${storePath}.key`;
  const label = `store/${basename(storePath)}`;
  const text = disk.readText(path, 4_096);
  if (!text.ok) return text;
  if (text.value !== null) {
    const key = box.unwrap(label, text.value.trim());
    return key.ok || key.error.where === undefined ? key : err({ ...key.error, where: path });
  }
  if (hasContent(storePath)) {
    return err(
      fail('corrupt', 'secrets.storeKeyMissing', {}, { help: 'secrets.restoreStoreKey', where: path }),
    );
  }
  const key = crypto.randomBytes(keyBytes);
  const written = disk.write(path, `${box.wrap(label, key)}\n`);
  return written.ok ? ok(key) : written;
}
