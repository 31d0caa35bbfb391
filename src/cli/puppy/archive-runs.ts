import { copy } from '../copy.ts';
import { commandFailure, show } from '../terminal.ts';
import { parseDays } from '../whole-number.ts';
import type { BackendFlags } from './arguments.ts';
import { valueOrFail, withBackend } from './open-backend.ts';

interface ArchiveFlags extends BackendFlags {
  readonly olderThan?: string;
}

/** `puppy archive`: runs by id, or all that ended some days ago. */
export async function runArchiveRuns(runs: readonly string[], flags: ArchiveFlags): Promise<number> {
  const { olderThan } = flags;
  if ((runs.length === 0) === (olderThan === undefined))
    throw commandFailure('invalid_input', 'cliWork.nameRuns');
  const which =
    olderThan === undefined ? { runs: [...runs] } : { olderThanDays: parseDays('--older-than', olderThan) };
  return withBackend(flags, async (backend) => {
    const ids = valueOrFail(await backend.archive({ archived: true, ...which }));
    const key = ids.length === 0 ? 'cliWork.runsArchived' : 'cliWork.runsArchivedBack';
    show(flags.json === true, { runs: ids }, copy(key, { count: ids.length }));
    return 0;
  });
}

export async function runUnarchiveRuns(runs: readonly string[], flags: BackendFlags): Promise<number> {
  return withBackend(flags, async (backend) => {
    const ids = valueOrFail(await backend.archive({ archived: false, runs: [...runs] }));
    show(flags.json === true, { runs: ids }, copy('cliWork.runsBroughtBack', { count: ids.length }));
    return 0;
  });
}
