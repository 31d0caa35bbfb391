import { z } from 'zod';
import { messageOf } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';
import type { Clock, DiskPort, Log } from '../../core/ports.ts';
import { say } from '../../language/say.ts';
import type { Problems } from '../problems.ts';
import { recordFile } from '../stores/record-file.ts';

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
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

const problemId = 'retirements';
const damagedId = 'retirements-damaged';

export function createPendingRetirements(deps: PendingRetirementsDeps): PendingRetirements {
  const { disk, path, problems, clock, log } = deps;
  const file = recordFile(disk, path, pendingSchema);
  /** By slug; newer than the file. */
  const unsaved = new Map<string, PendingRetirement>();
  /** Moves a damaged file aside (F19). `null` if the file cannot be read now: it must not be overwritten. */
  const readSaved = (): readonly PendingRetirement[] | null => {
    const read = file.read();
    if (read.ok) return read.value ?? [];
    log.error('retirements_unreadable', { path, code: read.error.code });
    if (read.error.code !== 'corrupt') return null;
    const moved = disk.quarantine(path, clock.now());
    problems.set(damagedId, 'error', {
      message: moved.ok
        ? say('identity.retirementsKept', { kept: moved.value })
        : say('identity.retirementsLeft', { path }),
      hint: say('identity.restoreRetirements'),
    });
    return moved.ok ? [] : null;
  };
  const all = (): readonly PendingRetirement[] => {
    const saved = readSaved() ?? [];
    return [...saved.filter(({ slug }) => !unsaved.has(slug)), ...unsaved.values()];
  };
  const writeAll = (entries: readonly PendingRetirement[]): Result<void> => {
    const read = file.read();
    if (!read.ok) return read;
    return entries.length > 0 ? file.write([...entries]) : file.remove();
  };
  const others = (slug: string): PendingRetirement[] => all().filter((one) => one.slug !== slug);
  const save = (): boolean => {
    if (unsaved.size === 0) return true;
    const saved = writeAll(all());
    if (saved.ok) {
      unsaved.clear();
      problems.clear(problemId);
      return true;
    }
    const slugs = [...unsaved.keys()];
    log.warn('retirement_not_kept', { slugs, code: saved.error.code });
    problems.set(problemId, 'error', {
      message: say('identity.revocationNotSaved', { slugs, why: messageOf(saved.error) }),
      hint: say('identity.checkDiskBeforeStop'),
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
      const saved = writeAll(left);
      if (saved.ok) unsaved.clear();
      if (unsaved.size === 0) problems.clear(problemId);
    },
  };
}
