import type { AgentMark, Room, RoomsView } from '../../contract/model.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { RoomsSnapshot } from '../../services/puffo/account-types.ts';
import type { SignedClient } from '../../services/puffo/signed-client.ts';
import type { FeedTopic } from '../feed/feed.ts';
import { createChatPresence } from './presence.ts';
import { createRemoteMarks } from './remote-marks.ts';

// Presence and message marks of agents that run on other hosts.

export interface RemoteAgentsDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly topic: FeedTopic<RoomsView>;
  client(): SignedClient | null;
  isOwn(slug: string): boolean;
  changed(envelopeId: string): void;
}

type Shown = Pick<StoredMessage, 'envelopeId' | 'senderSlug'> & { readonly roomId: string };

export interface RemoteAgents {
  marksOf(message: Shown): readonly AgentMark[];
  show(messages: readonly Shown[]): void;
  rooms(snapshot: RoomsSnapshot): void;
  /** A client subscribed to the rooms or unsubscribed. */
  looked(): void;
  processing(frame: Readonly<Record<string, unknown>>): void;
  status(frame: Readonly<Record<string, unknown>>): void;
  online(): void;
  clear(): void;
  stop(): void;
}

export function createRemoteAgents(deps: RemoteAgentsDeps): RemoteAgents {
  const { clock, log, topic, client } = deps;
  const runs = createRemoteMarks({ client, onChanged: deps.changed });
  const presence = createChatPresence({
    clock,
    log,
    topic,
    client,
    onGone: (slugs) => {
      for (const id of runs.workOf(slugs)) deps.changed(id);
    },
  });
  /** The view creates a new object for every changed room, so the cache needs no invalidation. */
  const known = new WeakMap<Room, ReadonlySet<string>>();
  const agentsIn = (roomId: string): ReadonlySet<string> => {
    const room = topic.state().rooms[roomId];
    if (!room) return new Set();
    const found = known.get(room);
    if (found) return found;
    const agents = room.members.filter(({ slug, agent }) => agent && !deps.isOwn(slug));
    const slugs = new Set(agents.map(({ slug }) => slug));
    known.set(room, slugs);
    return slugs;
  };

  return {
    marksOf({ envelopeId, roomId, senderSlug }) {
      const marks = runs.of(envelopeId, agentsIn(roomId), presence.away);
      return marks.filter(({ slug }) => slug !== senderSlug);
    },
    show(messages) {
      const wanted = messages.filter(({ roomId, senderSlug }) => {
        const agents = agentsIn(roomId);
        return agents.size > (agents.has(senderSlug) ? 1 : 0);
      });
      if (wanted.length > 0) runs.show(wanted.map(({ envelopeId }) => envelopeId));
    },
    rooms: presence.rooms,
    looked: presence.looked,
    processing: (frame) => runs.told(frame),
    status: (frame) => presence.told(frame),
    online() {
      runs.online();
      presence.online();
    },
    clear() {
      runs.clear();
      presence.clear();
    },
    stop: presence.stop,
  };
}
