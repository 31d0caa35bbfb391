import { z } from 'zod';
import type { DiskPort } from '../../core/ports.ts';
import { channelIdSchema, spaceIdSchema } from '../../core/puffo/wire.ts';
import type { Layout } from '../layout.ts';
import { type RecordFile, recordFile } from '../stores/record-file.ts';

const demoRecord = z.object({
  /** The vault was created for the demo and is removed with it. */
  ownVault: z.boolean(),
  spaceId: spaceIdSchema.nullable(),
  channelId: channelIdSchema.nullable(),
  /** Chosen before sending, so that a repeated start sends the greeting only once. */
  greetingId: z.string().nullable(),
  complete: z.boolean(),
});
export type DemoRecord = z.infer<typeof demoRecord>;

export interface DemoFileDeps {
  readonly disk: DiskPort;
  readonly layout: Pick<Layout, 'demoFile'>;
}

export const demoFile = ({ disk, layout }: DemoFileDeps): RecordFile<DemoRecord> =>
  recordFile(disk, layout.demoFile, demoRecord);
