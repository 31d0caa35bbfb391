/**
 * Archives in transfer between a page and this host. They stay in a private folder for an hour at most; the
 * next start removes what a crash left.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { appError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { filePieceBytes } from '../../contract/file-methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { maxTransferBytes } from '../../contract/transfer-methods.ts';
import type { Clock, DiskPort, Timer } from '../../core/ports.ts';
import { say } from '../../language/say.ts';

const keptMs = 3_600_000;
const mostHeld = 8;

interface Held {
  readonly path: string;
  readonly size: number;
  /** The person's own file: read only, never deleted. */
  readonly theirs: boolean;
  readonly timer: Timer;
  received: number;
  busy: boolean;
}

export interface Transfers {
  /** Reserves a path for a new archive. */
  place(): Result<{ readonly transferId: string; readonly path: string }>;
  packed(transferId: string, path: string, size: number): void;
  /** Registers a file or folder of the person where it is. */
  hold(path: string): Result<string>;
  begin(size: number): Promise<Result<string>>;
  /** Appends bytes; returns the number received so far. */
  put(transferId: string, offset: number, bytes: Uint8Array): Promise<Result<number>>;
  take(transferId: string, offset: number): Promise<Result<{ bytes: Uint8Array; done: boolean }>>;
  /** Path of a completely received archive. */
  whole(transferId: string): Result<string>;
  forget(transferId: string): void;
}

const unknown = fail('not_found', 'moving.archiveExpired', {}, { help: 'moving.beginAgain' });
const wrongPlace = fail('conflict', 'moving.piecesOutOfOrder', {}, { help: 'moving.chooseFileAgain' });
const tooMany = fail('rate_limited', 'moving.tooManyTransfers', {}, { help: 'moving.finishOrCancelOne' });

export interface TransferDeps {
  readonly folder: string;
  readonly disk: DiskPort;
  readonly clock: Clock;
}

async function withFile<T>(
  path: string,
  flags: string,
  work: (file: FileHandle) => Promise<T>,
): Promise<Result<T>> {
  let file: FileHandle | null = null;
  try {
    file = await open(path, flags, 0o600);
    return ok(await work(file));
  } catch (cause) {
    const full = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC';
    const message = full ? say('moving.transferDiskFull') : say('moving.storeArchiveFailed');
    return err(appError(full ? 'disk_full' : 'io_error', message));
  } finally {
    await file?.close();
  }
}

export function createTransfers({ folder, disk, clock }: TransferDeps): Transfers {
  const held = new Map<string, Held>();
  const forget = (transferId: string): void => {
    const one = held.get(transferId);
    held.delete(transferId);
    one?.timer.cancel();
    if (one && !one.theirs) disk.remove(one.path);
  };
  const hold = (transferId: string, path: string, size: number, received: number, theirs = false): void => {
    const timer = clock.after(keptMs, () => forget(transferId), { unref: true });
    held.set(transferId, { path, size, theirs, timer, received, busy: false });
  };
  const place: Transfers['place'] = () => {
    if (held.size >= mostHeld) return err(tooMany);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch (cause) {
      return err(fail('io_error', 'moving.archiveFolderFailed', { cause: String(cause) }));
    }
    const transferId = `tr_${randomUUID()}`;
    return ok({ transferId, path: join(folder, transferId) });
  };
  return {
    place,
    packed: (transferId, path, size) => hold(transferId, path, size, size),
    hold(path) {
      if (held.size >= mostHeld) return err(tooMany);
      const transferId = `tr_${randomUUID()}`;
      hold(transferId, path, 0, 0, true);
      return ok(transferId);
    },
    async begin(size) {
      if (size > maxTransferBytes) return err(fail('too_large', 'moving.archiveTooLarge'));
      const at = place();
      if (!at.ok) return at;
      const made = await withFile(at.value.path, 'wx', async () => undefined);
      if (!made.ok) return made;
      hold(at.value.transferId, at.value.path, size, 0);
      return ok(at.value.transferId);
    },
    async put(transferId, offset, bytes) {
      const one = held.get(transferId);
      if (!one) return err(unknown);
      const fits = offset === one.received && bytes.length > 0 && offset + bytes.length <= one.size;
      if (one.busy || !fits) return err(wrongPlace);
      one.busy = true;
      const put = await withFile(one.path, 'r+', (file) => file.write(bytes, 0, bytes.length, offset));
      one.busy = false;
      if (!put.ok) forget(transferId);
      if (!put.ok) return put;
      one.received += bytes.length;
      return ok(one.received);
    },
    async take(transferId, offset) {
      const one = held.get(transferId);
      // Only the host reads a file that the person chose; a page cannot download it.
      if (!one || one.theirs || one.received < one.size) return err(unknown);
      const buffer = new Uint8Array(filePieceBytes);
      const read = await withFile(one.path, 'r', (file) => file.read(buffer, 0, buffer.length, offset));
      if (!read.ok) return read;
      const bytes = buffer.subarray(0, read.value.bytesRead);
      return ok({ bytes, done: offset + bytes.length >= one.size || bytes.length === 0 });
    },
    whole(transferId) {
      const one = held.get(transferId);
      if (!one) return err(unknown);
      return one.received === one.size ? ok(one.path) : err(fail('conflict', 'moving.archiveIncomplete'));
    },
    forget,
  };
}
