/**
 * Outgoing files of one account, as the server will get them: each is encrypted under its own key as it
 * arrives, so that no plaintext is ever on disk. A finished file is durable; after a crash, unreferenced
 * files are swept.
 */
import { createHash } from 'node:crypto';
import { appendFile, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { maxFileBytes } from '../../contract/file-methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { toBase64Url } from '../../core/lib/bytes.ts';
import type { CryptoEngine, Random } from '../../core/ports.ts';
import { type AttachmentName, pieceBytes, startAttachment } from '../../core/puffo/attachment.ts';
import type { LocalFile } from '../../core/puffo/message-files.ts';
import type { OutgoingFiles } from '../../core/tools/chat-files.ts';
import { systemErrorCode } from '../../platform/system-error.ts';

/** Maximum bytes waiting in one account; about fifty files of the maximum size. */
const maxWaiting = 512 * 1024 * 1024;

export interface FileSealing {
  /** Plaintext bytes so far. */
  readonly size: number;
  put(piece: Uint8Array): Promise<Result<void>>;
  /** The file is durable when this resolves. */
  finish(): Promise<Result<LocalFile>>;
  discard(): Promise<void>;
}

export interface OutgoingStore extends OutgoingFiles {
  begin(name: AttachmentName): Promise<Result<FileSealing>>;
  /**
   * Removes all files not in `wanted`, before new ones are accepted. `wanted` is called only if files exist;
   * `null` means unknown, and all are kept.
   */
  sweep(wanted: () => ReadonlySet<string> | null): Promise<void>;
}

export interface OutgoingDeps {
  readonly folder: string;
  readonly crypto: CryptoEngine;
  readonly random: Random;
}

function diskError(error: unknown): AppError {
  const code = systemErrorCode(error, 'unknown');
  if (code === 'ENOENT') return fail('not_found', 'chat.fileGone');
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return fail('disk_full', 'chat.diskFull', {}, { help: 'chat.freeSpace' });
  }
  return fail('io_error', 'chat.fileAccessFailed', { code });
}

async function onDisk<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work());
  } catch (error) {
    if (systemErrorCode(error) === '') throw error;
    return err(diskError(error));
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r+').catch(() => open(path, 'r'));
  try {
    await handle.sync();
  } catch (error) {
    // Some systems cannot sync a folder.
    if (!['EPERM', 'EINVAL', 'EISDIR', 'EBADF'].includes(systemErrorCode(error))) throw error;
  } finally {
    await handle.close();
  }
}

const namesIn = async (folder: string): Promise<readonly string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return [];
    throw error;
  });

async function bytesIn(folder: string): Promise<number> {
  let sum = 0;
  for (const name of await namesIn(folder))
    sum += (await stat(join(folder, name)).catch(() => null))?.size ?? 0;
  return sum;
}

const full = fail('too_large', 'chat.sendQueueFull', {}, { help: 'chat.sentWhenConnected' });

export function createOutgoingFiles(deps: OutgoingDeps): OutgoingStore {
  const { folder, crypto, random } = deps;
  const pathOf = (localFile: string): string => join(folder, localFile);
  let swept: Promise<void> = Promise.resolve();
  const clear = async (wanted: () => ReadonlySet<string> | null): Promise<void> => {
    const names = await namesIn(folder);
    const keep = names.length === 0 ? null : wanted();
    if (keep === null) return;
    for (const name of names) if (!keep.has(name)) await rm(pathOf(name), { force: true, recursive: true });
  };
  return {
    begin: (name) =>
      onDisk(async () => {
        const sealer = startAttachment(crypto, name);
        if (!sealer.ok) return sealer;
        await swept;
        await mkdir(folder, { recursive: true, mode: 0o700 });
        if ((await bytesIn(folder)) > maxWaiting) return err(full);
        const localFile = `f_${random.uuid()}`;
        return ok(sealing({ ...sealer.value, name, path: pathOf(localFile), localFile }));
      }).then((begun) => (begun.ok ? begun.value : begun)),
    read: (localFile) => onDisk(() => readFile(pathOf(localFile))),
    remove(localFiles) {
      // A file that cannot be removed now is swept at the next start.
      for (const one of localFiles) rm(pathOf(one), { force: true }).catch(() => undefined);
    },
    sweep(wanted) {
      const clearing = clear(wanted);
      swept = clearing.catch(() => undefined);
      return clearing;
    },
  };
}

type Begun = Extract<ReturnType<typeof startAttachment>, { ok: true }>['value'] & {
  readonly name: AttachmentName;
  readonly path: string;
  readonly localFile: string;
};

function sealing({ key, nonce, stream, name, path, localFile }: Begun): FileSealing {
  const part = `${path}.part`;
  const hash = createHash('sha256');
  let size = 0;
  return {
    get size() {
      return size;
    },
    async put(piece) {
      if (size + piece.length > maxFileBytes) {
        return err(fail('too_large', 'chat.fileTooLarge', {}, { where: name.filename }));
      }
      size += piece.length;
      hash.update(piece);
      const sealed = new Uint8Array(piece.length);
      for (let at = 0; at < piece.length; at += pieceBytes) {
        sealed.set(stream.update(piece.subarray(at, at + pieceBytes)), at);
      }
      return onDisk(() => appendFile(part, sealed, { mode: 0o600 }));
    },
    finish: () =>
      onDisk(async () => {
        await appendFile(part, stream.finish(), { mode: 0o600 });
        await sync(part);
        await rename(part, path);
        await sync(dirname(path));
        return { ...name, localFile, size, key, nonce, sha256: toBase64Url(hash.digest()) };
      }),
    discard: async () => {
      for (const one of [part, path]) await rm(one, { force: true }).catch(() => undefined);
    },
  };
}
