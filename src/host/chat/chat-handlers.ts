import { type CommandPlace, type SlashProblem, slashProblem } from '../../contract/chat-commands.ts';
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { withSlugs } from '../../contract/mentions.ts';
import type { ServerRow } from '../../contract/model.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { conversationIdIn } from '../../contract/room-id.ts';
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
export type RoomLookup = (wanted: string) => Result<{
  readonly self: ChatSelf;
  readonly target: Target;
  /** Slugs of the agents of this folder. */
  readonly ownAgents: ReadonlySet<string>;
}>;

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
  conversationId: conversationIdIn(target.roomId),
  threadRootId: threadRootId ?? null,
  ...said,
  visible: true,
  createdAt: clock.now(),
});

function slashFailure(problem: SlashProblem): AppError {
  const command = problem.word;
  switch (problem.type) {
    case 'unknown':
      return problem.near === null
        ? fail('invalid_input', 'chat.commandUnknown', { command }, { help: 'chat.commandAsText' })
        : fail(
            'invalid_input',
            'chat.commandMistyped',
            { command, near: problem.near },
            { help: 'chat.commandAsText' },
          );
    case 'needs-agent':
      return fail('invalid_input', 'chat.commandNeedsAgent', { command });
    case 'needs-thread':
      return fail('invalid_input', 'chat.commandNeedsThread', { command });
    case 'needs-text':
      return fail('invalid_input', 'chat.commandNeedsText', { command });
    case 'takes-no-text':
      return fail('invalid_input', 'chat.commandTakesNoText', { command }, { help: 'chat.commandAsText' });
  }
}

export const createRoomLookup =
  ({ chat, self: selfNow, agents }: RoomLookupDeps): RoomLookup =>
  (wanted) => {
    const self = selfNow();
    if (!self) return err(nobody);
    const view = chat.refreshRooms();
    const own = agents();
    const target = findTarget(wanted, {
      rooms: Object.values(view.rooms),
      spaceNames: new Map(view.spaces.map((space) => [space.id, space.name])),
      agents: own,
      people: [...chat.people.all()],
    });
    const ownAgents = new Set(own.flatMap(({ slug }) => slug ?? []));
    return target.ok ? ok({ self, target: target.value, ownAgents }) : target;
  };

/**
 * Root of the thread of a message. Threads have two levels: a reply to a reply belongs to the same root (spec
 * §3.1). `where`: the input's name.
 */
export function findThread(
  { store }: Pick<ChatSelf, 'store'>,
  { roomId }: Pick<Target, 'roomId'>,
  messageId: string | undefined,
  where: 'threadRootId' | 'thread',
): Result<string | undefined> {
  if (messageId === undefined) return ok(undefined);
  const message = store.message(messageId);
  if (message?.roomId !== roomId) return err(fail('not_found', 'chat.threadNotInRoom', {}, { where }));
  return ok(threadRootOf(message, (id) => store.message(id)));
}

/** Why a text that looks like a command may not be sent; `null` if it may. */
function checkSlash(text: string, place: CommandPlace): AppError | null {
  const problem = slashProblem(text, place);
  return problem === null ? null : slashFailure(problem);
}

export function createChatHandlers(deps: ChatHandlerDeps): ChatMethods {
  const { chat, locate } = deps;
  return {
    'chat.rooms': () => ok(chat.refreshRooms()),
    'chat.send': ({ to, text, threadRootId, files, checkCommand }) => {
      const found = locate(to);
      if (!found.ok) return found;
      const { self, target, ownAgents } = found.value;
      const thread = findThread(self, target, threadRootId, 'threadRootId');
      if (!thread.ok) return thread;
      const rootId = thread.value;
      const members = chat.rooms.state().rooms[target.roomId]?.members ?? [];
      const place = { kind: target.kind, members, ownAgents, inThread: threadRootId !== undefined };
      const mistake = checkCommand ? checkSlash(text, place) : null;
      if (mistake !== null) return err(mistake);
      const attached = deps.uploads.files(self.files.outgoing, files);
      if (!attached.ok) return attached;
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
