/**
 * Tells people who are connected what an agent of theirs, or of a space they share, does now: only when that is
 * another thing than before, and only people, so that a thousand agents do not tell each other. That nothing comes any
 * more is nobody's news: who listens counts the time.
 */
import type { RelayContext } from './context.ts';
import { statusView } from './status-view.ts';
import type { StatusRow } from './store-port.ts';

const same = (a: StatusRow, b: StatusRow): boolean =>
  a.status === b.status && a.currentMessageId === b.currentMessageId && a.errorText === b.errorText;

/** `before`: what was stored of it until now. */
export function announceStatus(context: RelayContext, slug: string, before: StatusRow | null): void {
  const { hub, limits, store } = context;
  const row = store.activity.status(slug);
  const identity = store.people.identity(slug);
  if (!row || identity?.identityType !== 'agent') return;
  const wasThere = before !== null && row.lastHeartbeatAt - before.lastHeartbeatAt < limits.offlineMs;
  if (wasThere && same(before, row)) return;
  for (const reader of hub.people()) {
    if (reader !== identity.operatorSlug && !store.spaces.shareSpace(reader, slug)) continue;
    hub.sendToSlugs([reader], { type: 'agent_status', ...statusView(context, slug, reader) });
  }
}
