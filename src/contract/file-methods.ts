/** Methods about files in the chat: uploaded in pieces, sent with a message, read in pieces. */
import { z } from 'zod';
import { done, row } from './method-row.ts';

/** Limits: bytes per file, and files per message (spec §3.4). */
export const maxFileBytes = 8 * 1024 * 1024;
export const maxFilesPerMessage = 10;
/** Bytes per piece between client and host. */
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
  /** In order, each at most 384 KiB in standard base64. `received` is the number of bytes so far. */
  'files.piece': row(
    () => uploadRef.extend({ offset: z.number().int().min(0), base64: z.base64().max(524_288) }),
    () => z.object({ received: z.number().int() }),
  ),
  'files.cancel': row(
    () => uploadRef,
    () => done,
  ),
  /** Sends a failed message again. `conflict` if it has not failed. */
  'chat.retry': row(
    () => z.strictObject({ message: z.string().min(1).max(100) }),
    () => done,
  ),
  /**
   * A piece of a message's file, decrypted after its tag and hash were verified. `index` is its position
   * among the attachments. Errors: `not_found`, `untrusted` if it was modified in transit.
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
        /** True for the last piece. */
        done: z.boolean(),
      }),
  ),
} as const;
