import { fail } from '../../contract/fail.ts';
import type { SearchHit } from '../../contract/history-methods.ts';
import { ok, type Result } from '../../contract/result.ts';
import { messageText } from '../../core/agents/message-text.ts';
import { excerptOf } from '../../core/lib/full-text-query.ts';
import type { Clock } from '../../core/ports.ts';
import type { AccountStore, MessageSearch } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import { type RoomNames, roomName } from '../chat/room-name.ts';

/** Code points of an excerpt. */
const excerptLength = 240;

export const notAMember = fail(
  'conflict',
  'chat.searchNeedsOperator',
  {},
  { help: 'chat.startDemoOrSignUp' },
);

type Query = Parameters<MessageSearch['find']>[0];
type Found = Omit<NonNullable<ReturnType<MessageSearch['find']>>, 'below'>;

const turn = (clock: Pick<Clock, 'after'>): Promise<void> =>
  new Promise((resolve) => void clock.after(0, resolve));

/** Indexes new messages first, and yields between batches and between the windows of a search with filters. */
export async function searchMessages(
  clock: Pick<Clock, 'after'>,
  { search }: Pick<AccountStore, 'search'>,
  query: Omit<Query, 'below'>,
): Promise<Found> {
  const messages: StoredMessage[] = [];
  let below: number | undefined;
  for (;;) {
    while (search.catchUp()) await turn(clock);
    const found = search.find({
      ...query,
      limit: query.limit - messages.length,
      ...(below === undefined ? {} : { below }),
    });
    if (!found) continue;
    messages.push(...found.messages);
    if (found.below === null) return { messages, hasMore: found.hasMore };
    below = found.below;
    await turn(clock);
  }
}

/** A search result; `words` is the query. */
export function hitOf(chat: RoomNames, message: StoredMessage, words: string): SearchHit {
  const sender = chat.people.get(message.senderSlug);
  const { text, attachments } = messageText(message);
  return {
    id: message.envelopeId,
    roomId: message.roomId,
    roomName: roomName(chat, message.roomId),
    senderSlug: message.senderSlug,
    senderName: sender.displayName,
    senderAgent: sender.agent,
    sentAt: message.sentAt,
    threadRootId: message.threadRootId,
    excerpt: excerptOf([text, ...attachments].join('\n'), words, excerptLength),
  };
}

/** Resolves a room id of this store, or a name with `locate`. */
export function searchRoom(
  store: Pick<AccountStore, 'rooms'>,
  wanted: string | undefined,
  locate: (wanted: string) => Result<string>,
): Result<string | undefined> {
  if (wanted === undefined) return ok(undefined);
  return store.rooms().some(({ roomId }) => roomId === wanted) ? ok(wanted) : locate(wanted);
}
