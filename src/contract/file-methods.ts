/** Rows of the method table about files in the chat: put in piece by piece, sent with a message, read piece by piece. */
import { z } from 'zod';
import { done, row } from './method-row.ts';

/** Bytes of one file, and files of one message (spec §3.4). */
export const maxFileBytes = 8 * 1024 * 1024;
export const maxFilesPerMessage = 10;
/** Bytes of one piece on its way between a client and the host. */
export const filePieceBytes = 384 * 1024;

const uploadRef = z.strictObject({ uploadId: z.string().min(1).max(100) });

export const fileMethods = {
  /** Held for `chat.send` for an hour. `too_large` above 8 MiB. */
  'files.begin': row(
    () =>
      z.strictObject({
        filename: z.string().min(1).max(255),
        mimeType: z.string().max(100).default('application/octet-stream'),
        size: z.number().int().min(0),
      }),
    () => uploadRef,
  ),
  /** In order, each at most 384 KiB of standard base64. `received`: bytes held so far. */
  'files.piece': row(
    () => uploadRef.extend({ offset: z.number().int().min(0), base64: z.base64().max(524_288) }),
    () => z.object({ received: z.number().int() }),
  ),
  'files.cancel': row(
    () => uploadRef,
    () => done,
  ),
  /** An own message that failed goes out again. `conflict`: it has not failed. */
  'chat.retry': row(
    () => z.strictObject({ message: z.string().min(1).max(100) }),
    () => done,
  ),
  /**
   * A piece of a file of one message, decrypted after its whole tag and hash held. `index`: its place among the
   * message's attachments. Errors: `not_found`, `untrusted` when it was changed on its way.
   */
  'chat.file': row(
    () =>
      z.strictObject({
        message: z.string().min(1).max(100),
        index: z.number().int().min(0).max(49),
        offset: z.number().int().min(0).default(0),
      }),
    () =>
      z.object({
        filename: z.string(),
        mimeType: z.string(),
        size: z.number().int(),
        base64: z.string(),
        /** After the last piece. */
        done: z.boolean(),
      }),
  ),
} as const;
