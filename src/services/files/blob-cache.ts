/**
 * Sealed files as they came from a server, kept for when somebody looks again: ciphertext only, so that the message is
 * still what opens them. It never grows beyond its bound; those not looked at for longest go first. A cache that fails
 * costs a download and nothing else.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface BlobCache {
  get(blobId: string): Promise<Uint8Array | null>;
  put(blobId: string, blob: Uint8Array): Promise<void>;
  /** It was not what it should have been. */
  drop(blobId: string): Promise<void>;
}

export function createBlobCache(folder: string, maxBytes: number): BlobCache {
  const pathOf = (blobId: string): string => join(folder, createHash('sha256').update(blobId).digest('hex'));

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
