/** Methods to export and import agents through a page, which cannot name a path: in pieces. */
import { z } from 'zod';
import { importChoices, importedSchema, importReviewSchema } from './bundles.ts';
import { done, row } from './method-row.ts';

/** Limit in bytes of an archive transferred through a page. */
export const maxTransferBytes = 256 * 1024 * 1024;

const id = z.string().min(1).max(100);
const passphrase = z.string().min(1).max(1_000).optional();
const offset = z.number().int().min(0);

export const transferMethods = {
  /**
   * Packs an agent and holds the archive for an hour. `bundle` contains its keys and requires a passphrase;
   * `zip` contains none.
   */
  'bundles.pack': row(
    () => z.strictObject({ agent: z.string().min(1).max(200), kind: z.enum(['bundle', 'zip']), passphrase }),
    () =>
      z.object({
        transferId: id,
        filename: z.string(),
        size: z.number().int(),
        files: z.number().int(),
        left: z.array(z.string()),
      }),
  ),
  'bundles.piece': row(
    () => z.strictObject({ transferId: id, offset: offset.default(0) }),
    () => z.object({ base64: z.string(), done: z.boolean() }),
  ),
  /** Starts the upload of an archive, held for an hour. `too_large` above 256 MiB. */
  'bundles.bring': row(
    () => z.strictObject({ size: z.number().int().min(1) }),
    () => z.object({ transferId: id }),
  ),
  /** In order, each at most 384 KiB in standard base64. */
  'bundles.bringPiece': row(
    () => z.strictObject({ transferId: id, offset, base64: z.base64().max(524_288) }),
    () => z.object({ received: z.number().int() }),
  ),
  /** Like `bundles.review`, for an uploaded archive. */
  'bundles.reviewBrought': row(
    () => z.strictObject({ transferId: id, passphrase }),
    () => importReviewSchema,
  ),
  /** Like `bundles.import`; the upload is deleted once something was imported. */
  'bundles.importBrought': row(
    () =>
      z.strictObject({
        transferId: id,
        passphrase,
        ...importChoices.shape,
      }),
    () => importedSchema,
  ),
  /** Deletes an export or upload. */
  'bundles.forget': row(
    () => z.strictObject({ transferId: id }),
    () => done,
  ),
} as const;
