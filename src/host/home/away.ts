import { z } from 'zod';
import type { AwayView } from '../../contract/home-methods.ts';
import type { RoomsView } from '../../contract/model.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { HostContext } from '../context.ts';
import { missed } from '../history/missed.ts';

const mostRooms = 50;
const mostMessages = 200;
const mostMissed = 20;
const mostDecided = 200;
/** Longer absences are cut to this; the rooms have the rest. */
const longestMs = 31 * 86_400_000;

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

/** `#name` of a channel, else the other person's name. */
const nameOf = (view: RoomsView, roomId: string): string => {
  const room = view.rooms[roomId];
  if (!room) return roomId;
  return room.kind === 'channel' ? `#${room.name}` : room.name;
};

const channels = (view: RoomsView) => Object.values(view.rooms).filter((room) => room.kind === 'channel');

/** Saves the current time, and the members of each room to detect new ones later. */
export function markSeen({ operator, chat, ports }: HostContext): void {
  const self = operator.session()?.self;
  if (!self) return;
  const people = Object.fromEntries(
    channels(chat.refreshRooms()).map((room) => [room.id, room.members.map(({ slug }) => slug)]),
  );
  self.store.setValue(key, JSON.stringify({ at: ports.clock.now(), people } satisfies Seen));
}

export function awayView(context: HostContext): AwayView {
  const store = context.operator.session()?.self.store;
  const seen = store ? readSeen(store) : null;
  if (!store || !seen) return nothing;
  const view = context.chat.refreshRooms();
  const since = Math.max(seen.at, context.ports.clock.now() - longestMs);
  return {
    since: seen.at,
    answered: answeredSince(context, store, view, since),
    missed: missed(context, context.agents.list(), { since, limit: mostMissed }).missed,
    joined: joinedSince(view, seen),
    decided: decidedSince(context, since),
  };
}

function answeredSince(
  context: HostContext,
  store: AccountStore,
  view: RoomsView,
  since: number,
): AwayView['answered'] {
  const own = new Map(
    context.agents.list().map((agent) => [configInForce(agent).puffo_core.slug, agent] as const),
  );
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
        name: configInForce(agent).display_name || agent.id,
        count: (before?.count ?? 0) + 1,
        roomId: last.roomId,
        roomName: nameOf(view, last.roomId),
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
        roomName: nameOf(view, room.id),
      }));
  });
}

function decidedSince({ approvals }: HostContext, since: number): AwayView['decided'] {
  const count = { allowed: 0, denied: 0, expired: 0 };
  const open = approvals.begun() ? approvals.parts() : null;
  if (!open?.ok) return count;
  for (const { approval } of open.value.store.list({ state: 'decided', limit: mostDecided })) {
    const { decision, state } = approval;
    if (decision === null || decision.at <= since) continue;
    if (state === 'allowed' || state === 'denied' || state === 'expired') count[state] += 1;
  }
  return count;
}
