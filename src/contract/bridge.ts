/** The local bridge as its operator sees it. */
import { z } from 'zod';

export const bridgeStatusSchema = z.object({
  /** By daemon.yml. */
  enabled: z.boolean(),
  /** Null while it does not listen; `note` says why. */
  url: z.string().nullable(),
  note: z.string(),
  paired: z
    .object({
      slug: z.string(),
      deviceId: z.string(),
      /** ms since the epoch. */
      pairedAt: z.number(),
    })
    .nullable(),
  /** Null while no device may pair. */
  window: z
    .object({
      /** Empty if the operator named a device. */
      code: z.string(),
      /** The only one that may pair; null: the one that sends the code. */
      device: z.string().nullable(),
      /** ms since the epoch. */
      until: z.number(),
      /** Tries that failed; after ten it closes. */
      failures: z.number().int(),
    })
    .nullable(),
});
export type BridgeStatus = z.infer<typeof bridgeStatusSchema>;
