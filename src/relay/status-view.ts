/**
 * An agent's status as one reader may see it (spec §2.2): offline once its last heartbeat is two minutes old.
 */
import type { RelayContext } from './context.ts';
import type { AgentStatus } from './store-port.ts';

export interface StatusView {
  readonly slug: string;
  readonly status: AgentStatus | 'offline';
  readonly last_heartbeat_at: number | null;
  readonly current_message_id: string | null;
  readonly error_text: string | null;
}

/**
 * Everyone may learn if an agent is online; its work is visible to its operator and to those who share a
 * space with it.
 */
export function statusView(context: RelayContext, slug: string, reader: string | null): StatusView | null {
  const { people, spaces, activity } = context.store;
  const identity = people.identity(slug);
  if (!identity) return null;
  const row = activity.status(slug);
  const alive = row !== null && context.clock.now() - row.lastHeartbeatAt < context.limits.offlineMs;
  const near =
    reader !== null &&
    (reader === slug || reader === identity.operatorSlug || spaces.shareSpace(reader, slug));
  return {
    slug,
    status: alive ? row.status : 'offline',
    last_heartbeat_at: row?.lastHeartbeatAt ?? null,
    current_message_id: alive && near ? row.currentMessageId : null,
    error_text: near ? (row?.errorText ?? null) : null,
  };
}
