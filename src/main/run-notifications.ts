/** Derives notification events for ended workflow runs from two states of their topic. */
import type { NotifyKind } from '../contract/desktop-methods.ts';
import type { RunSummary, RunsView } from '../contract/workflow-methods.ts';
import { localize } from '../language/texts.ts';
import type { NotificationEvent } from './notification-events.ts';

/** A run that ends sooner is not announced, because the operator is probably still watching it, in ms. */
const shortMs = 10_000;

/** Only runs started by the operator: an agent reports its own runs. A cancelled run is not announced. */
function kindOf({ status, initiatedBy, createdAt, endedAt }: RunSummary): NotifyKind | null {
  if (initiatedBy !== 'operator') return null;
  if (status === 'failed') return 'failed';
  return status === 'ok' && (endedAt ?? createdAt) - createdAt >= shortMs ? 'finished' : null;
}

/**
 * A run that was not in the previous state is announced only if it was started after `since` (ms since the
 * epoch); others are old runs that are listed again.
 */
export function runsEnded(before: RunsView | null, after: RunsView, since: number): NotificationEvent[] {
  if (before === null) return [];
  return Object.values(after.runs).flatMap((run) => {
    const known = before.runs[run.id];
    const isNews = known === undefined ? run.createdAt >= since : known.status !== run.status;
    const kind = isNews ? kindOf(run) : null;
    if (kind === null) return [];
    const route = `#/work/${encodeURIComponent(`run:${run.id}`)}`;
    return [
      { kind, who: run.name, text: localize(run.message), route, approval: null, about: 'run' as const },
    ];
  });
}
