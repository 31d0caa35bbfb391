/**
 * pairing.json: the device of a person that may manage agents here (spec §4.2). Read again for every request,
 * so that its removal applies at once; an unreadable file pairs no one.
 */
import { z } from 'zod';
import type { Result } from '../../contract/result.ts';
import type { DiskPort } from '../../core/ports.ts';

const pairingSchema = z.object({
  slug: z.string().min(1),
  device_id: z.string().min(1),
  root_public_key: z.string().min(1),
  device_signing_public_key: z.string(),
  identity_cert: z.record(z.string(), z.unknown()),
  device_cert: z.record(z.string(), z.unknown()),
  /** ms since the epoch. */
  paired_at: z.number(),
});
export type Pairing = z.infer<typeof pairingSchema>;

const maxBytes = 64 * 1024;

export interface PairingFile {
  read(): Pairing | null;
  write(pairing: Pairing): Result<void>;
  remove(): Result<void>;
}

function parse(content: string): Pairing | null {
  try {
    const parsed = pairingSchema.safeParse(JSON.parse(content));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

export function createPairingFile(disk: DiskPort, path: string): PairingFile {
  return {
    read: () => {
      const content = disk.readText(path, maxBytes);
      return content.ok && content.value !== null ? parse(content.value) : null;
    },
    write: (pairing) => disk.write(path, `${JSON.stringify(pairing, null, 2)}\n`),
    remove: () => disk.remove(path),
  };
}
