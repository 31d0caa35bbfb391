/** The local bridge as shown to its operator. */
import { z } from 'zod';
import { hostTextSchema } from './host-text-schema.ts';

export const bridgeStatusSchema = z.object({
  /** From daemon.yml. */
  enabled: z.boolean(),
  /** `null` while it does not listen; `note` has the reason. */
  url: z.string().nullable(),
  note: hostTextSchema,
  paired: z
    .object({
      slug: z.string(),
      deviceId: z.string(),
      /** ms since the epoch. */
      pairedAt: z.number(),
    })
    .nullable(),
  /** `null` while no device may pair. */
  window: z
    .object({
      /** Empty if the operator named a device. */
      code: z.string(),
      /** The only device that may pair, or `null` if the code decides. */
      device: z.string().nullable(),
      /** ms since the epoch. */
      until: z.number(),
      /** Failed attempts; the window closes after ten. */
      failures: z.number().int(),
    })
    .nullable(),
});
export type BridgeStatus = z.infer<typeof bridgeStatusSchema>;
