/**
 * Announces an agent's new status to connected people who own it or share a space with it: only if it
 * changed, and only to people, so that a thousand agents do not notify each other. A missed heartbeat is not
 * announced: clients count the time themselves.
 */
import type { RelayContext } from './context.ts';
import { statusView } from './status-view.ts';
import type { StatusRow } from './store-port.ts';

const same = (a: StatusRow, b: StatusRow): boolean =>
  a.status === b.status && a.currentMessageId === b.currentMessageId && a.errorText === b.errorText;

/** `before` is the previously stored status. */
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
