import { fail } from '../../contract/fail.ts';
import { withSlugs } from '../../contract/mentions.ts';
import type { ServerRow } from '../../contract/model.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { threadRootOf } from '../../core/agents/thread-root.ts';
import type { Clock } from '../../core/ports.ts';
import { contentWithFiles } from '../../core/puffo/message-files.ts';
import type { OutboxDraft } from '../../core/puffo/stored-message.ts';
import { say } from '../../language/say.ts';
import type { Handlers } from '../dispatch.ts';
import type { PageUploads } from '../files/uploads.ts';
import type { Chat } from './chat.ts';
import { findTarget, type Target } from './find-room.ts';
import { historyPage } from './history-page.ts';
import type { ChatSelf } from './self.ts';

type ChatMethods = Pick<
  Handlers,
  'chat.rooms' | 'chat.send' | 'chat.history' | 'chat.pins' | 'chat.markRead' | 'chat.serverView'
>;

export interface ChatHandlerDeps {
  readonly chat: Chat;
  readonly clock: Clock;
  readonly newEnvelopeId: () => string;
  readonly uploads: PageUploads;
  readonly locate: RoomLookup;
  /** Rows of the embedded relay, or `null` if the operator uses another server. */
  serverRows(target: Target, limit: number): Promise<readonly ServerRow[] | null>;
}

/** Finds the room that a person named, as the operator sees it. */
export type RoomLookup = (wanted: string) => Result<{ self: ChatSelf; target: Target }>;

export interface RoomLookupDeps {
  readonly chat: Chat;
  self(): ChatSelf | null;
  /** All agents of this folder, registered or not. */
  agents(): readonly { readonly id: string; readonly slug: string | null; readonly displayName: string }[];
}

const nobody = fail('conflict', 'chat.chatNeedsOperator', {}, { help: 'chat.startDemoOrSignUp' });

type Said = Pick<OutboxDraft, 'contentType' | 'content'>;

const draftOf = (
  { newEnvelopeId, clock }: ChatHandlerDeps,
  target: Target,
  said: Said,
  threadRootId: string | undefined,
): OutboxDraft => ({
  envelopeId: newEnvelopeId(),
  kind: target.kind,
  spaceId: target.kind === 'channel' ? target.spaceId : null,
  channelId: target.kind === 'channel' ? target.channelId : null,
  recipientSlug: target.kind === 'dm' ? target.slug : null,
  threadRootId: threadRootId ?? null,
  ...said,
  visible: true,
  createdAt: clock.now(),
});

export const createRoomLookup =
  ({ chat, self: selfNow, agents }: RoomLookupDeps): RoomLookup =>
  (wanted) => {
    const self = selfNow();
    if (!self) return err(nobody);
    const view = chat.refreshRooms();
    const target = findTarget(wanted, {
      rooms: Object.values(view.rooms),
      spaceNames: new Map(view.spaces.map((space) => [space.id, space.name])),
      agents: agents(),
      people: [...chat.people.all()],
    });
    return target.ok ? ok({ self, target: target.value }) : target;
  };

export function createChatHandlers(deps: ChatHandlerDeps): ChatMethods {
  const { chat, locate } = deps;
  return {
    'chat.rooms': () => ok(chat.refreshRooms()),
    'chat.send': ({ to, text, threadRootId, files }) => {
      const found = locate(to);
      if (!found.ok) return found;
      const { self, target } = found.value;
      const root = threadRootId === undefined ? null : self.store.message(threadRootId);
      if (threadRootId !== undefined && root?.roomId !== target.roomId) {
        return err(fail('not_found', 'chat.threadNotInRoom', {}, { where: 'threadRootId' }));
      }
      // Threads have two levels: a reply to a reply belongs to the same root (spec §3.1).
      const rootId = root ? threadRootOf(root, (id) => self.store.message(id)) : undefined;
      const attached = deps.uploads.files(self.files.outgoing, files);
      if (!attached.ok) return attached;
      const members = chat.rooms.state().rooms[target.roomId]?.members ?? [];
      const written = target.kind === 'channel' ? withSlugs(text, members) : text;
      const plain: Said = { contentType: 'text/plain', content: written };
      const said = files.length === 0 ? plain : contentWithFiles(written, attached.value);
      const draft = draftOf(deps, target, said, rootId);
      self.store.enqueue(draft, self.slug);
      deps.uploads.taken(files);
      self.account.kickOutbox();
      const stored = self.store.message(draft.envelopeId);
      if (stored) chat.accepted([stored]);
      return ok({ messageId: draft.envelopeId, roomId: target.roomId });
    },
    'chat.history': ({ room, ...wanted }) => {
      const found = locate(room);
      if (!found.ok) return found;
      const { self, target } = found.value;
      const page = historyPage(self.store, target.roomId, wanted);
      if (page === null) return err(fail('not_found', 'chat.messageNotInRoom'));
      return ok({ ...page, roomId: target.roomId, messages: chat.viewAll(page.messages) });
    },
    'chat.pins': ({ room }) => {
      const found = locate(room);
      if (!found.ok) return found;
      const { self, target } = found.value;
      const pinned = self.store.annotations.pinned(target.roomId);
      return ok({ roomId: target.roomId, messages: chat.viewAll(pinned) });
    },
    'chat.markRead': ({ room }) => {
      const found = locate(room);
      if (!found.ok) return found;
      found.value.self.store.markRead(found.value.target.roomId);
      chat.refreshRooms();
      return ok({});
    },
    'chat.serverView': async ({ room, limit }) => {
      const found = locate(room);
      if (!found.ok) return found;
      const rows = await deps.serverRows(found.value.target, limit);
      if (rows) return ok({ available: true, note: '', rows: [...rows] });
      return ok({
        available: false,
        note: say('chat.foreignServer'),
        rows: [],
      });
    },
  };
}
