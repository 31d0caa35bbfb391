/** How runs of workflows ended while nobody looked, read from two states of their topic. */
import type { NotifyKind } from '../contract/desktop-methods.ts';
import type { RunSummary, RunsView } from '../contract/workflow-methods.ts';
import { told } from '../language/texts.ts';
import type { Happening } from './happenings.ts';

/** Whoever started what is over so soon still looks at it: ms. */
const shortMs = 10_000;

/** An agent hears of its own runs, and says what came of them; one that was cancelled was cancelled by a person. */
function kindOf({ status, initiatedBy, createdAt, endedAt }: RunSummary): NotifyKind | null {
  if (initiatedBy !== 'operator') return null;
  if (status === 'failed') return 'failed';
  return status === 'ok' && (endedAt ?? createdAt) - createdAt >= shortMs ? 'finished' : null;
}

/** Of runs not known before, it is told of what was started after `since` (ms since the epoch): others are only shown again. */
export function runsEnded(before: RunsView | null, after: RunsView, since: number): Happening[] {
  if (before === null) return [];
  return Object.values(after.runs).flatMap((run) => {
    const known = before.runs[run.id];
    const isNews = known === undefined ? run.createdAt >= since : known.status !== run.status;
    const kind = isNews ? kindOf(run) : null;
    if (kind === null) return [];
    const route = `#/work/${encodeURIComponent(`run:${run.id}`)}`;
    return [{ kind, who: run.name, text: told(run.message), route, approval: null, about: 'run' as const }];
  });
}
