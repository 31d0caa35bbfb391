import { z } from 'zod';
import type { AwayView } from '../../contract/home-methods.ts';
import type { RoomsView } from '../../contract/model.ts';
import type { Clock } from '../../core/ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { configInForce, nameOfAgent } from '../agents/agent-view.ts';
import { decidedApprovals, type PastApprovals } from '../approvals/past-approvals.ts';
import { type RoomNames, roomName } from '../chat/room-name.ts';
import type { RunningAgents } from '../history/explain-decisions.ts';
import { missed } from '../history/missed-messages.ts';

const mostRooms = 50;
const mostMessages = 200;
const mostMissed = 20;
const mostDecided = 200;
/** Longer absences are cut to this; the rooms have the rest. */
const longestMs = 31 * 86_400_000;

export interface AwayDeps {
  readonly agents: Pick<AgentStore, 'list'>;
  readonly approvals: PastApprovals;
  readonly chat: RoomNames & { refreshRooms(): RoomsView };
  readonly clock: Pick<Clock, 'now'>;
  readonly fleet: RunningAgents;
  /** The operator's account, or `null` without an operator. */
  self(): { readonly store: AccountStore } | null;
}

const key = 'home.seen';
const seenSchema = z.object({ at: z.number(), people: z.record(z.string(), z.array(z.string())) });
type Seen = z.infer<typeof seenSchema>;

const nothing: AwayView = {
  since: null,
  answered: [],
  missed: [],
  joined: [],
  decided: { allowed: 0, denied: 0, expired: 0 },
};

function readSeen(store: AccountStore): Seen | null {
  try {
    return seenSchema.parse(JSON.parse(store.getValue(key) ?? ''));
  } catch {
    return null;
  }
}

const channels = (view: RoomsView) => Object.values(view.rooms).filter((room) => room.kind === 'channel');

export interface AwayReport {
  /** Events since the operator was here last. */
  view(): AwayView;
  /** Saves the current time, and the members of each room to detect new ones later. */
  markSeen(): void;
}

export const createAway = (deps: AwayDeps): AwayReport => ({
  view: () => awayView(deps),
  markSeen: () => markSeen(deps),
});

function markSeen({ self, chat, clock }: AwayDeps): void {
  const store = self()?.store;
  if (!store) return;
  const people = Object.fromEntries(
    channels(chat.refreshRooms()).map((room) => [room.id, room.members.map(({ slug }) => slug)]),
  );
  store.setValue(key, JSON.stringify({ at: clock.now(), people } satisfies Seen));
}

function awayView(deps: AwayDeps): AwayView {
  const { agents, approvals, chat, clock } = deps;
  const store = deps.self()?.store;
  const seen = store ? readSeen(store) : null;
  if (!store || !seen) return nothing;
  const view = chat.refreshRooms();
  const since = Math.max(seen.at, clock.now() - longestMs);
  return {
    since: seen.at,
    answered: answeredSince(deps, store, since),
    missed: missed(deps, agents.list(), { since, limit: mostMissed }).missed,
    joined: joinedSince(view, seen),
    decided: decidedSince(approvals, since),
  };
}

function answeredSince(
  { agents, chat }: Pick<AwayDeps, 'agents' | 'chat'>,
  store: AccountStore,
  since: number,
): AwayView['answered'] {
  const own = new Map(agents.list().map((agent) => [configInForce(agent).puffo_core.slug, agent] as const));
  own.delete('');
  const rows = new Map<string, AwayView['answered'][number]>();
  const lively = store.rooms().filter((room) => room.lastMessageAt > since);
  for (const { roomId } of lively.slice(0, mostRooms)) {
    for (const { senderSlug, sentAt } of store.history({ roomId, limit: mostMessages }).messages) {
      const agent = own.get(senderSlug);
      if (!agent || sentAt <= since) continue;
      const before = rows.get(agent.id);
      const last = before && before.at > sentAt ? before : { roomId, at: sentAt };
      rows.set(agent.id, {
        agentId: agent.id,
        name: nameOfAgent(agent),
        count: (before?.count ?? 0) + 1,
        roomId: last.roomId,
        roomName: roomName(chat, last.roomId),
        at: last.at,
      });
    }
  }
  return [...rows.values()].sort((a, b) => b.at - a.at);
}

/** Rooms joined since then are new as a whole, so their members are not listed. */
function joinedSince(view: RoomsView, seen: Seen): AwayView['joined'] {
  return channels(view).flatMap((room) => {
    const known = seen.people[room.id];
    if (!known) return [];
    return room.members
      .filter(({ slug }) => slug !== view.self && !known.includes(slug))
      .map(({ slug, displayName, agent }) => ({
        slug,
        agent,
        name: displayName || slug,
        roomId: room.id,
        roomName: `#${room.name}`,
      }));
  });
}

function decidedSince(approvals: PastApprovals, since: number): AwayView['decided'] {
  const count = { allowed: 0, denied: 0, expired: 0 };
  for (const { decision, state } of decidedApprovals(approvals, mostDecided)) {
    if (decision === null || decision.at <= since) continue;
    if (state === 'allowed' || state === 'denied' || state === 'expired') count[state] += 1;
  }
  return count;
}
