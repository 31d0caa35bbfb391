import { z } from 'zod';
import type { DiskPort, Log } from '../../core/ports.ts';
import type { Problems } from '../problems.ts';
import { recordFile } from '../record-file.ts';

const pendingSchema = z.array(
  z.object({
    slug: z.string(),
    serverUrl: z.string(),
    /** `null` if its certificate was missing: then only the agent itself can leave and revoke its device. */
    agentRootPublicKey: z.string().nullable(),
    /** ms by this computer's clock. */
    at: z.number(),
    /** The agent's own keys until it has left its spaces; `null` if it has nothing to do itself. */
    sealedKeys: z.string().nullable().default(null),
  }),
);
export type PendingRetirement = z.infer<typeof pendingSchema>[number];

/** Agents that their servers must still end; survives restarts. Holds in memory what it could not save (F4). */
export interface PendingRetirements {
  all(): readonly PendingRetirement[];
  /** Replaces an earlier entry of the same slug. */
  keep(pending: PendingRetirement): void;
  drop(slug: string): void;
  /** Tries to save what is only in memory; returns false if it still is. */
  save(): boolean;
}

export interface PendingRetirementsDeps {
  readonly disk: DiskPort;
  readonly path: string;
  readonly problems: Pick<Problems, 'set' | 'clear'>;
  readonly log: Log;
}

const problemId = 'retirements';

export function createPendingRetirements(deps: PendingRetirementsDeps): PendingRetirements {
  const { disk, path, problems, log } = deps;
  const file = recordFile(disk, path, pendingSchema);
  /** By slug; newer than the file. */
  const unsaved = new Map<string, PendingRetirement>();
  const all = (): readonly PendingRetirement[] => {
    const read = file.read();
    const saved = read.ok ? (read.value ?? []) : [];
    return [...saved.filter(({ slug }) => !unsaved.has(slug)), ...unsaved.values()];
  };
  const others = (slug: string): PendingRetirement[] => all().filter((one) => one.slug !== slug);
  const save = (): boolean => {
    if (unsaved.size === 0) return true;
    const saved = file.write([...all()]);
    if (saved.ok) {
      unsaved.clear();
      problems.clear(problemId);
      return true;
    }
    const slugs = [...unsaved.keys()];
    log.warn('retirement_not_kept', { slugs, code: saved.error.code });
    problems.set(problemId, 'error', {
      message: `Kennel could not save that ${slugs.join(', ')} must be revoked at its server: ${saved.error.message}`,
      hint: 'Kennel tries again until it stops. Check the disk before you stop Kennel.',
    });
    return false;
  };
  return {
    all,
    save,
    keep(pending) {
      unsaved.set(pending.slug, pending);
      save();
    },
    drop(slug) {
      const left = others(slug);
      unsaved.delete(slug);
      const saved = left.length > 0 ? file.write(left) : file.remove();
      if (saved.ok) unsaved.clear();
      if (unsaved.size === 0) problems.clear(problemId);
    },
  };
}
