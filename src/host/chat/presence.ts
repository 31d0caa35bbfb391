import type { Presence, RoomsView } from '../../contract/model.ts';
import type { PatchOp } from '../../contract/patch.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { RoomsSnapshot } from '../../services/puffo/account-types.ts';
import { PresenceBook, type PresenceChanges } from '../../services/puffo/presence.ts';
import type { SignedClient } from '../../services/puffo/signed-client.ts';
import type { FeedTopic } from '../feed/feed.ts';

// Presence of the agents in the operator's spaces, as part of the rooms. Patched per agent, so that one
// change does not resend thousands.

/** More changes than this are sent as one patch of the whole map. */
const patchesAtOnce = 64;

export interface ChatPresenceDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly topic: FeedTopic<RoomsView>;
  client(): SignedClient | null;
  onGone(slugs: ReadonlySet<string>): void;
}

function opsFor(before: RoomsView['presence'], changes: PresenceChanges): PatchOp[] {
  if (changes.size > patchesAtOnce) {
    const next = new Map<string, Presence>(Object.entries(before));
    for (const [slug, presence] of changes) {
      if (presence) next.set(slug, presence);
      else next.delete(slug);
    }
    return [{ op: 'set', path: ['presence'], value: Object.fromEntries(next) }];
  }
  return [...changes].flatMap(([slug, value]): PatchOp[] => {
    if (value) return [{ op: 'set', path: ['presence', slug], value }];
    return Object.hasOwn(before, slug) ? [{ op: 'delete', path: ['presence', slug] }] : [];
  });
}

export function createChatPresence(deps: ChatPresenceDeps) {
  const { clock, log, topic } = deps;
  const book = new PresenceBook({
    clock,
    log,
    client: deps.client,
    onChanged(changes) {
      topic.patch(opsFor(topic.state().presence, changes));
      const gone = [...changes].flatMap(([slug, now]) =>
        now === null || now.state === 'offline' ? [slug] : [],
      );
      if (gone.length > 0) deps.onGone(new Set(gone));
    },
  });
  return {
    away: (slug: string): boolean => book.of(slug)?.state === 'offline',
    rooms({ channels }: RoomsSnapshot): void {
      const agents = channels.flatMap(({ members }) => members.filter(({ agent }) => agent));
      book.follow(new Set(agents.map(({ slug }) => slug)));
    },
    looked: () => book.look(topic.subscribers() > 0),
    online: () => book.online(),
    told: (frame: unknown) => book.told(frame),
    clear: () => book.clear(),
    stop: () => book.stop(),
  };
}
