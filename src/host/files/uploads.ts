import { fail } from '../../contract/fail.ts';
import { maxFileBytes } from '../../contract/file-methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock, Random, Timer } from '../../core/ports.ts';
import type { LocalFile } from '../../core/puffo/message-files.ts';
import { mimeTypeOf, plainBytes } from '../../core/puffo/mime-types.ts';
import type { FileSealing, OutgoingStore } from '../../services/files/outgoing-files.ts';

/** Limit of concurrent uploads, and the ms that one waits for its message. */
const mostUploads = 40;
const keptMs = 3_600_000;

interface Upload {
  readonly into: OutgoingStore;
  readonly size: number;
  readonly sealing: FileSealing;
  readonly timer: Timer;
  busy: boolean;
  /** `null` until the upload is complete. */
  file: LocalFile | null;
}

export interface PageUploads {
  begin(
    into: OutgoingStore,
    file: { readonly filename: string; readonly mimeType: string; readonly size: number },
  ): Promise<Result<string>>;
  /** Appends bytes; returns the number received so far. */
  piece(uploadId: string, offset: number, bytes: Uint8Array): Promise<Result<number>>;
  cancel(uploadId: string): Promise<void>;
  /** Complete files, each listed once; kept until `taken`. */
  files(from: OutgoingStore, uploadIds: readonly string[]): Result<readonly LocalFile[]>;
  /** The files now belong to a message. */
  taken(uploadIds: readonly string[]): void;
}

const unknown = fail('not_found', 'chat.unknownUpload', {}, { help: 'moving.chooseFileAgain' });
const wrongPlace = fail('conflict', 'chat.piecesOutOfOrder', {}, { help: 'moving.chooseFileAgain' });
const tooMany = fail('rate_limited', 'chat.tooManyUploads', {}, { help: 'chat.sendOrRemoveSome' });
const tooLarge = fail('too_large', 'chat.fileTooLarge');

const nameOf = (filename: string): string =>
  filename.split(/[/\\]/).at(-1)?.normalize('NFC').trim() || 'file';

/** Uploads from a client to the operator's account, sealed while they arrive. */
export function createPageUploads({
  clock,
  random,
}: {
  readonly clock: Clock;
  readonly random: Random;
}): PageUploads {
  const uploads = new Map<string, Upload>();
  let beginning = 0;
  const drop = async (uploadId: string): Promise<void> => {
    const upload = uploads.get(uploadId);
    uploads.delete(uploadId);
    upload?.timer.cancel();
    await upload?.sealing.discard();
  };
  const end = async (uploadId: string, upload: Upload): Promise<Result<number>> => {
    const file = await upload.sealing.finish();
    if (!file.ok) {
      await drop(uploadId);
      return file;
    }
    upload.file = file.value;
    return ok(file.value.size);
  };
  const add = async (uploadId: string, upload: Upload, bytes: Uint8Array): Promise<Result<number>> => {
    const put = await upload.sealing.put(bytes);
    if (!put.ok) await drop(uploadId);
    if (!put.ok) return put;
    return upload.sealing.size < upload.size ? ok(upload.sealing.size) : end(uploadId, upload);
  };

  return {
    async begin(into, { filename, mimeType, size }) {
      if (size > maxFileBytes) return err(tooLarge);
      if (uploads.size + beginning >= mostUploads) return err(tooMany);
      const name = nameOf(filename);
      const type = mimeType === plainBytes || mimeType === '' ? mimeTypeOf(name) : mimeType;
      beginning += 1;
      const sealing = await into.begin({ filename: name, mimeType: type }).finally(() => {
        beginning -= 1;
      });
      if (!sealing.ok) return sealing;
      const uploadId = `up_${random.uuid()}`;
      const timer = clock.after(keptMs, () => void drop(uploadId), { unref: true });
      const upload: Upload = { into, size, sealing: sealing.value, timer, busy: false, file: null };
      uploads.set(uploadId, upload);
      const ended = size === 0 ? await end(uploadId, upload) : null;
      return ended && !ended.ok ? ended : ok(uploadId);
    },
    async piece(uploadId, offset, bytes) {
      const upload = uploads.get(uploadId);
      if (!upload) return err(unknown);
      const fits = offset === upload.sealing.size && offset + bytes.length <= upload.size && bytes.length > 0;
      if (upload.busy || upload.file || !fits) return err(wrongPlace);
      upload.busy = true;
      try {
        return await add(uploadId, upload, bytes);
      } finally {
        upload.busy = false;
      }
    },
    cancel: drop,
    files(from, uploadIds) {
      const files: LocalFile[] = [];
      for (const uploadId of new Set(uploadIds)) {
        const upload = uploads.get(uploadId);
        if (upload?.into !== from) return err(unknown);
        if (!upload.file) return err(fail('conflict', 'chat.fileIncomplete'));
        files.push(upload.file);
      }
      if (files.length === uploadIds.length) return ok(files);
      return err(fail('invalid_input', 'chat.duplicateFile', {}, { where: 'files' }));
    },
    taken(uploadIds) {
      for (const uploadId of uploadIds) {
        uploads.get(uploadId)?.timer.cancel();
        uploads.delete(uploadId);
      }
    },
  };
}
