import { err, ok, type Result } from '../../contract/result.ts';
import { conversationIdIn, dmSlug, mainRoom } from '../../contract/room-id.ts';
import { threadRootOf } from '../../core/agents/thread-root.ts';
import { orStoreError } from '../../core/lib/store-error.ts';
import type { Clock, CryptoEngine } from '../../core/ports.ts';
import type { AccountStore, OpenTurn } from '../../core/puffo/account-store.ts';
import { isLocalEnvelopeId } from '../../core/puffo/ids.ts';
import { contentWithFiles, type LocalFile } from '../../core/puffo/message-files.ts';
import type { OutboxDraft, StoredMessage } from '../../core/puffo/stored-message.ts';
import { isTaskTurn } from '../../core/tasks/task-turn.ts';
import type { MessagingPort } from '../../core/tools/chat-ports.ts';
import { derivedEnvelopeId } from './derived-id.ts';
import { noMessage } from './message-reading.ts';
import {
  type ChatAccount,
  findMessagingRoom,
  type MessagingRoom,
  messagingAddress,
  messagingRoom,
} from './messaging-rooms.ts';
import { createOutsideAnswers } from './outside-answers.ts';

export interface MessageSendingDeps {
  readonly account: ChatAccount;
  readonly store: AccountStore;
  /** The agent's own slug. */
  readonly slug: string;
  readonly crypto: Pick<CryptoEngine, 'sha256'>;
  readonly clock: Clock;
}

/** Sends through the agent's outbox, under ids that are the same when a call is repeated. */
export interface MessageSending extends Pick<MessagingPort, 'here' | 'send'> {
  /** Id of the last message that one of these calls, or an outside program, sent to the turn's own thread. */
  sentHere(turnId: string, callIds: readonly string[]): string | null;
}

export function createMessageSending({
  account,
  store,
  slug,
  crypto,
  clock,
}: MessageSendingDeps): MessageSending {
  const idOf = (turnId: string, callId: string): string => derivedEnvelopeId(crypto, slug, turnId, callId);
  const turnOf = (turnId: string): OpenTurn | null =>
    store.openTurns().find((turn) => turn.turnId === turnId) ?? null;
  const outside = createOutsideAnswers(store, crypto, slug);
  return {
    here(turnId) {
      const turn = turnOf(turnId);
      return turn && { channel: messagingAddress(turn.roomId), rootId: turn.rootId };
    },
    send: (message) =>
      orStoreError(async () => {
        const asked = turnOf(message.turnId);
        const place = await findMessagingRoom(account, inConversation(store, message, asked));
        if (!place.ok) return place;
        const root = rootFor(store, place.value, message.rootId);
        if (!root.ok) return root;
        const own = asked !== null || isTaskTurn(message.turnId);
        const answer = own ? null : outside.nextId(place.value.roomId, root.value);
        const id = answer ?? idOf(message.turnId, message.callId);
        const draft = draftOf(place.value, { id, root: root.value, at: clock.now(), ...message });
        store.enqueue(draft, slug);
        account.kickOutbox();
        return ok({ messageId: id });
      }),
    sentHere(turnId, callIds) {
      const turn = turnOf(turnId);
      if (!turn) return null;
      const ids = callIds.map((callId) => idOf(turnId, callId)).reverse();
      return ids.find((id) => inThread(store.message(id), turn)) ?? outside.to(turn);
    },
  };
}

/**
 * The conversation that a message to a person belongs to: that of the message it replies to, else the one that
 * the turn answers, else the one with a message that waits for an answer of an outside program.
 */
function inConversation(store: AccountStore, message: Addressed, turn: OpenTurn | null): string {
  const { channel, rootId, turnId } = message;
  // A task names the conversation that it reports to.
  if (!channel.startsWith('@') || isTaskTurn(turnId)) return channel;
  const meant = rootId === '' ? (turn?.roomId ?? waitingRoom(store, channel)) : store.message(rootId)?.roomId;
  const isTheirs = meant !== undefined && messagingRoom(channel) === mainRoom(meant);
  return isTheirs ? messagingAddress(meant) : channel;
}

interface Addressed {
  readonly turnId: string;
  readonly channel: string;
  /** Empty outside threads. */
  readonly rootId: string;
}

const waitingRoom = (store: AccountStore, channel: string): string | undefined =>
  store
    .openWork()
    .map(({ message }) => message.roomId)
    .findLast((roomId) => mainRoom(roomId) === messagingRoom(channel));

/** A reply to a reply belongs to the same thread; a root in another room is rejected. */
function rootFor(store: AccountStore, place: MessagingRoom, wanted: string): Result<string | null> {
  if (wanted === '') return ok(null);
  const message = store.message(wanted);
  if (message?.roomId !== place.roomId) return err(noMessage);
  const root = threadRootOf(message, (id) => store.message(id));
  // A prompt of the host itself is not a message of the room.
  return ok(isLocalEnvelopeId(root) ? null : root);
}

interface Outgoing {
  readonly id: string;
  readonly root: string | null;
  readonly text: string;
  readonly files?: readonly LocalFile[];
  readonly visible: boolean;
  /** ms since the epoch. */
  readonly at: number;
}

function draftOf(place: MessagingRoom, { id, root, text, visible, at, files }: Outgoing): OutboxDraft {
  const plain = { contentType: 'text/plain', content: text };
  const said = files === undefined ? plain : contentWithFiles(text, files);
  const channel = place.kind === 'channel';
  return {
    envelopeId: id,
    kind: place.kind,
    spaceId: channel ? place.spaceId : null,
    channelId: channel ? place.roomId : null,
    recipientSlug: channel ? null : place.slug,
    conversationId: conversationIdIn(place.roomId),
    threadRootId: root,
    ...said,
    // Only replies can be hidden (spec §3.2).
    visible: root === null || visible,
    createdAt: at,
  };
}

function inThread(message: StoredMessage | null, turn: OpenTurn): boolean {
  if (message?.roomId !== turn.roomId) return false;
  const rootId = isLocalEnvelopeId(turn.rootId) ? null : turn.rootId;
  return dmSlug(turn.roomId) !== null || message.threadRootId === rootId;
}
