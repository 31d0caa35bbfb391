import { z } from 'zod';
import type { DiskPort, Log } from '../../core/ports.ts';
import { recordFile } from '../record-file.ts';

const pendingSchema = z.array(
  z.object({
    slug: z.string(),
    serverUrl: z.string(),
    agentRootPublicKey: z.string(),
    /** ms by this computer's clock. */
    at: z.number(),
    /** The agent's own keys until it has left its spaces; `null` if it has nothing to do itself. */
    sealedKeys: z.string().nullable().default(null),
  }),
);
export type PendingRetirement = z.infer<typeof pendingSchema>[number];

/** Agents that their servers must still end; survives restarts. */
export interface PendingRetirements {
  all(): readonly PendingRetirement[];
  /** Replaces an earlier entry of the same slug. */
  keep(pending: PendingRetirement): void;
  drop(slug: string): void;
}

export function createPendingRetirements(disk: DiskPort, path: string, log: Log): PendingRetirements {
  const file = recordFile(disk, path, pendingSchema);
  const all = (): readonly PendingRetirement[] => {
    const read = file.read();
    return read.ok ? (read.value ?? []) : [];
  };
  const others = (slug: string): PendingRetirement[] => all().filter((one) => one.slug !== slug);
  return {
    all,
    keep(pending) {
      const { slug } = pending;
      const saved = file.write([...others(slug), pending]);
      if (!saved.ok) log.warn('retirement_not_kept', { slug, code: saved.error.code });
    },
    drop(slug) {
      const left = others(slug);
      if (left.length > 0) file.write(left);
      else file.remove();
    },
  };
}
