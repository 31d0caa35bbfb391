/** Conversations of the operator's direct messages: a message names its conversation, the rest stays here. */
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { conversationIdIn, dmRoomId, mainRoom } from '../../contract/room-id.ts';
import type { Clock, Random } from '../../core/ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { Handlers } from '../dispatch.ts';
import type { Chat } from './chat.ts';
import type { RoomLookup } from './chat-handlers.ts';
import type { ChatSelf } from './self.ts';

type ConversationMethods = Pick<
  Handlers,
  'chat.newConversation' | 'chat.renameConversation' | 'chat.archiveConversation' | 'chat.deleteConversation'
>;

export interface ConversationDeps {
  readonly chat: Pick<Chat, 'refreshRooms' | 'reload'>;
  readonly clock: Clock;
  readonly random: Pick<Random, 'uuid'>;
  readonly locate: RoomLookup;
}

const needsPerson = fail('invalid_input', 'chat.conversationNeedsPerson', {}, { help: 'chat.runChatRead' });
const mainStays = fail('conflict', 'chat.mainConversationStays');

interface Found {
  readonly self: ChatSelf;
  readonly roomId: string;
}

const newId = (random: Pick<Random, 'uuid'>): string =>
  `cv_${random.uuid().replaceAll('-', '').slice(0, 16)}`;

/** A conversation of the same people that holds no message and has no title. */
const emptyOne = ({ conversations }: AccountStore, roomId: string): string | null =>
  conversations
    .list()
    .find(
      (one) =>
        conversationIdIn(one.roomId) !== null &&
        mainRoom(one.roomId) === mainRoom(roomId) &&
        one.title === '' &&
        one.firstText === '',
    )?.roomId ?? null;

const isSending = (store: AccountStore, roomId: string): boolean =>
  store
    .openOutbox()
    .some((row) => dmRoomId(row.recipientSlug ?? '', row.conversationId) === roomId && row.kind === 'dm');

export function createConversationHandlers(deps: ConversationDeps): ConversationMethods {
  const { chat, clock, random } = deps;
  const findAny = (wanted: string): Result<Found & { readonly slug: string }> => {
    const found = deps.locate(wanted);
    if (!found.ok) return found;
    const { self, target } = found.value;
    return target.kind === 'dm' ? ok({ self, roomId: target.roomId, slug: target.slug }) : err(needsPerson);
  };
  const findFurther = (wanted: string): Result<Found> => {
    const found = findAny(wanted);
    return found.ok && conversationIdIn(found.value.roomId) === null ? err(mainStays) : found;
  };
  return {
    'chat.newConversation': ({ room, title }) => {
      const found = findAny(room);
      if (!found.ok) return found;
      const { self, roomId, slug } = found.value;
      const unused = title === '' ? emptyOne(self.store, roomId) : null;
      const started = unused ?? dmRoomId(slug, newId(random));
      self.store.conversations.start(started, title, clock.now());
      chat.refreshRooms();
      return ok({ roomId: started });
    },
    'chat.renameConversation': ({ room, title }) => {
      const found = findAny(room);
      if (!found.ok) return found;
      const { self, roomId } = found.value;
      self.store.conversations.rename(roomId, title, clock.now());
      chat.refreshRooms();
      return ok({});
    },
    'chat.archiveConversation': ({ room, archived }) => {
      const found = findFurther(room);
      if (!found.ok) return found;
      const { self, roomId } = found.value;
      self.store.conversations.setArchived(roomId, archived ? clock.now() : null);
      chat.refreshRooms();
      return ok({});
    },
    'chat.deleteConversation': ({ room }) => {
      const found = findFurther(room);
      if (!found.ok) return found;
      const { self, roomId } = found.value;
      if (isSending(self.store, roomId)) return err(fail('conflict', 'chat.deleteAfterSending'));
      self.store.conversations.remove(roomId, clock.now());
      chat.reload(roomId);
      chat.refreshRooms();
      return ok({});
    },
  };
}
