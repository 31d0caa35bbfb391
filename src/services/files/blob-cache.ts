/**
 * Caches encrypted files from a server: ciphertext only, so that opening one still needs its message. It
 * never exceeds its limit and evicts the least recently used. A failing cache only costs a download.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '../../platform/sha256.ts';

export interface BlobCache {
  get(blobId: string): Promise<Uint8Array | null>;
  put(blobId: string, blob: Uint8Array): Promise<void>;
  /** Removes a blob that turned out to be wrong. */
  drop(blobId: string): Promise<void>;
}

export function createBlobCache(folder: string, maxBytes: number): BlobCache {
  const pathOf = (blobId: string): string => join(folder, sha256Hex(blobId));

  const shrink = async (): Promise<void> => {
    const files = await Promise.all(
      (await readdir(folder)).map(async (name) => {
        const path = join(folder, name);
        const { size, mtimeMs } = await stat(path);
        return { path, size, mtimeMs };
      }),
    );
    let sum = files.reduce((total, { size }) => total + size, 0);
    for (const { path, size } of files.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (sum <= maxBytes) return;
      await rm(path, { force: true });
      sum -= size;
    }
  };

  return {
    async get(blobId) {
      const path = pathOf(blobId);
      const found = await readFile(path).catch(() => null);
      if (found) await utimes(path, new Date(), new Date()).catch(() => undefined);
      return found;
    },
    async put(blobId, blob) {
      if (blob.length > maxBytes) return;
      const path = pathOf(blobId);
      const part = `${path}.${randomUUID()}`;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(part, blob, { mode: 0o600 });
        await rename(part, path);
        await shrink();
      } catch {
        await rm(part, { force: true }).catch(() => undefined);
      }
    },
    drop: (blobId) => rm(pathOf(blobId), { force: true }).catch(() => undefined),
  };
}
