/** Rows of the method table by which agents leave and come through a page, which can name no path: piece by piece. */
import { z } from 'zod';
import { importChoices, importedSchema, importReviewSchema } from './bundles.ts';
import { done, row } from './method-row.ts';

/** Bytes of an archive that comes or goes through a page. */
export const maxTransferBytes = 256 * 1024 * 1024;

const id = z.string().min(1).max(100);
const passphrase = z.string().min(1).max(1_000).optional();
const offset = z.number().int().min(0);

export const transferMethods = {
  /** Packs an agent and holds it for an hour. `bundle` carries its keys and wants a passphrase; `zip` carries none. */
  'bundles.pack': row(
    () => z.strictObject({ agent: z.string().min(1).max(200), kind: z.enum(['bundle', 'zip']), passphrase }),
    () =>
      z.object({
        transferId: id,
        filename: z.string(),
        size: z.number().int(),
        files: z.number().int(),
        /** Files that stayed behind. */
        left: z.array(z.string()),
      }),
  ),
  'bundles.piece': row(
    () => z.strictObject({ transferId: id, offset: offset.default(0) }),
    () => z.object({ base64: z.string(), done: z.boolean() }),
  ),
  /** Begins to bring an archive here; held for an hour. `too_large` above 256 MiB. */
  'bundles.bring': row(
    () => z.strictObject({ size: z.number().int().min(1) }),
    () => z.object({ transferId: id }),
  ),
  /** In order, each at most 384 KiB of standard base64. */
  'bundles.bringPiece': row(
    () => z.strictObject({ transferId: id, offset, base64: z.base64().max(524_288) }),
    () => z.object({ received: z.number().int() }),
  ),
  /** What was brought, as `bundles.review`. */
  'bundles.reviewBrought': row(
    () => z.strictObject({ transferId: id, passphrase }),
    () => importReviewSchema,
  ),
  /** As `bundles.import`; what was brought is forgotten when something came in. */
  'bundles.importBrought': row(
    () =>
      z.strictObject({
        transferId: id,
        passphrase,
        ...importChoices.shape,
      }),
    () => importedSchema,
  ),
  /** Forgets it, packed or brought. */
  'bundles.forget': row(
    () => z.strictObject({ transferId: id }),
    () => done,
  ),
} as const;
