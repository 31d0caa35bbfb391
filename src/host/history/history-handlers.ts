import { fail } from '../../contract/fail.ts';
import type { RoomsView } from '../../contract/model.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { searchQuery } from '../../core/lib/full-text-query.ts';
import { readSearch } from '../../core/lib/search-filters.ts';
import type { Clock } from '../../core/ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { findAgent } from '../agents/find-agent.ts';
import { findRoomId } from '../chat/find-room-id.ts';
import type { ChatPerson } from '../chat/people.ts';
import type { RoomNames } from '../chat/room-name.ts';
import type { ChatSelf } from '../chat/self.ts';
import type { Handlers } from '../dispatch.ts';
import { findMessage, type WhyDeps, whyAll } from './explain-decisions.ts';
import { missed } from './missed-messages.ts';
import { hitOf, notAMember, searchMessages, searchRoom } from './search-messages.ts';

const noWords = fail('invalid_input', 'agents.noSearchWords', {}, { help: 'chat.searchWordRules' });

const dayMs = 86_400_000;

type HistoryMethods = Pick<Handlers, 'chat.search' | 'chat.why' | 'chat.missed'>;

export interface HistoryDeps extends WhyDeps {
  readonly agents: AgentStore;
  readonly chat: RoomNames & {
    readonly people: { all(): Iterable<ChatPerson> };
    refreshRooms(): RoomsView;
  };
  readonly clock: Clock;
  self(): Pick<ChatSelf, 'slug' | 'store'> | null;
}

/** Slugs of the people and agents with this slug or name; `me` and `ich` name the operator. */
function sendersNamed({ self, chat }: Pick<HistoryDeps, 'self' | 'chat'>, typed: string): readonly string[] {
  const name = typed.replace(/^@/, '').toLowerCase();
  const own = self()?.slug;
  if (own !== undefined && (name === 'me' || name === 'ich')) return [own];
  chat.refreshRooms();
  return [...chat.people.all()]
    .filter(({ slug, displayName }) => slug === name || displayName.trim().toLowerCase() === name)
    .map(({ slug }) => slug);
}

/** Message search, and the reason why an agent did or did not answer. */
export function createHistoryHandlers(deps: HistoryDeps): HistoryMethods {
  const { chat, agents, fleet, clock } = deps;

  /** The operator's own messages, or those that an agent received. */
  const storeOf = (ref: string | undefined): Result<AccountStore> => {
    if (ref === undefined) {
      const self = deps.self();
      return self ? ok(self.store) : err(notAMember);
    }
    const found = findAgent(agents, ref);
    if (!found.ok) return found;
    const store = fleet.post(found.value.id)?.store;
    if (store) return ok(store);
    return err(
      fail('conflict', 'chat.agentNotRunning', { id: found.value.id }, { help: 'chat.runAgentResume' }),
    );
  };

  return {
    'chat.search': async ({ words: typed, room, agent, before, limit }) => {
      const { words, from, room: named, ...filters } = readSearch(typed);
      const isFiltered = from !== undefined || named !== undefined || Object.values(filters).some(Boolean);
      if (searchQuery(words) === null && !isFiltered) return err(noWords);
      const store = storeOf(agent);
      if (!store.ok) return store;
      const roomId = searchRoom(store.value, named ?? room, (wanted) => findRoomId(deps, wanted));
      if (!roomId.ok) return roomId;
      const { messages, hasMore } = await searchMessages(clock, store.value, {
        words,
        limit,
        ...filters,
        ...(from === undefined ? {} : { senderSlugs: sendersNamed(deps, from) }),
        ...(roomId.value === undefined ? {} : { roomId: roomId.value }),
        ...(before === undefined ? {} : { before }),
      });
      return ok({ hits: messages.map((message) => hitOf(chat, message, words)), hasMore });
    },
    'chat.missed': ({ agent: ref, days, limit }) => {
      const found = ref === undefined ? null : findAgent(agents, ref);
      if (found && !found.ok) return found;
      chat.refreshRooms();
      const since = clock.now() - days * dayMs;
      return ok(missed(deps, found ? [found.value] : agents.list(), { since, limit }));
    },
    'chat.why': ({ message: id }) => {
      chat.refreshRooms();
      const message = findMessage(deps, id);
      if (message) return ok({ message: hitOf(chat, message, ''), agents: whyAll(deps, message) });
      return err(fail('not_found', 'chat.unknownMessage', { id }, { help: 'chat.findMessageIds' }));
    },
  };
}
