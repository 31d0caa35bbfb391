/** An `AccountStore` in memory that behaves like the SQLite one, without durability. */

import { dmRoomId } from '../../src/contract/room-id.ts';
import type { ToolStep } from '../../src/contract/work.ts';
import { digestText } from '../../src/core/agents/message-text.ts';
import type {
  AcceptRow,
  AccountStore,
  OpenTurn,
  TriggerDecision,
  TurnOutcome,
  WorkStatus,
} from '../../src/core/puffo/account-store.ts';
import type { OutboxDraft, OutboxRow, StoredMessage } from '../../src/core/puffo/stored-message.ts';
import type { HostText } from '../../src/language/host-message.ts';
import { memoryAnnotations } from './memory-annotations.ts';
import { memoryConversations } from './memory-conversations.ts';
import { memoryMessageQueries } from './memory-message-queries.ts';
import { memoryMessageSearch } from './memory-message-search.ts';
import { createMemoryTranscriptStore } from './memory-transcript-store.ts';
import { MemoryTurnRecords } from './memory-turn-records.ts';

interface Work {
  readonly decision: TriggerDecision;
  status: WorkStatus | null;
  detail: HostText;
}

const byTime = (a: StoredMessage, b: StoredMessage): number =>
  a.sentAt - b.sentAt || (a.envelopeId < b.envelopeId ? -1 : a.envelopeId > b.envelopeId ? 1 : 0);

export interface MemoryAccountStore extends AccountStore {
  /** Makes the next write throw this error. */
  failNext(error: Error): void;
  readonly outcomes: TurnOutcome[];
}

export function createMemoryAccountStore(ownSlug: string): MemoryAccountStore {
  const messages = new Map<string, StoredMessage>();
  const nonces = new Map<string, string>();
  const work = new Map<string, Work>();
  const outbox = new Map<string, OutboxRow>();
  const turns = new Map<string, OpenTurn>();
  const steps = new Map<string, readonly ToolStep[]>();
  const transcripts = createMemoryTranscriptStore();
  const values = new Map<string, string>();
  const refused: Record<string, number> = {};
  const readUpTo = new Map<string, number>();
  const outcomes: TurnOutcome[] = [];
  const records = new MemoryTurnRecords(turns, transcripts);
  let failure: Error | null = null;
  let counter = 0;
  const arrival = new Map<string, number>();

  const write = (): void => {
    const error = failure;
    failure = null;
    if (error) throw error;
  };
  const put = (message: StoredMessage): void => {
    counter += 1;
    arrival.set(message.envelopeId, counter);
    messages.set(message.envelopeId, message);
  };
  const changeRow = (id: string, change: Partial<OutboxRow>): void => {
    const row = outbox.get(id);
    if (row) outbox.set(id, { ...row, ...change });
  };
  const enqueue = (given: OutboxDraft, senderSlug: string): void => {
    if (outbox.has(given.envelopeId)) return;
    const earliest = ([...outbox.values()].at(-1)?.createdAt ?? -1) + 1;
    const early = earliest - given.createdAt;
    const draft = early > 0 && early <= 1_000 ? { ...given, createdAt: earliest } : given;
    outbox.set(draft.envelopeId, {
      ...draft,
      state: 'queued',
      sealed: null,
      contentKey: null,
      attempts: 0,
      error: null,
    });
    put({
      ...draft,
      roomId: draft.channelId ?? dmRoomId(draft.recipientSlug ?? '', draft.conversationId),
      senderSlug,
      sentAt: draft.createdAt,
      receivedAt: draft.createdAt,
      replyToId: null,
      encrypted: true,
    });
  };
  const decision: AccountStore['decision'] = (id) => {
    const row = work.get(id);
    return row ? { ...row.decision, status: row.status, detail: row.detail } : null;
  };
  const inRoom = (roomId: string): StoredMessage[] =>
    [...messages.values()].filter((message) => message.roomId === roomId).sort(byTime);
  const { annotations, isShown, isDeleted } = memoryAnnotations(messages, (id) => outbox.delete(id));

  return {
    annotations,
    conversations: memoryConversations(),
    outcomes,
    failNext: (error) => {
      failure = error;
    },
    known: (ids) => new Set(ids.filter((id) => messages.has(id))),
    accept(rows: readonly AcceptRow[]) {
      write();
      const fresh: StoredMessage[] = [];
      for (const { message, decision, nonce } of rows) {
        const signed = nonce === undefined ? null : `${message.senderSlug} ${nonce}`;
        if (messages.has(message.envelopeId) || (signed !== null && nonces.has(signed))) continue;
        if (signed !== null) nonces.set(signed, message.envelopeId);
        put(message);
        work.set(message.envelopeId, { decision, status: decision.react ? 'open' : null, detail: '' });
        fresh.push(message);
      }
      return fresh;
    },
    message: (id) => messages.get(id) ?? null,
    decision,
    history({ roomId, before, after, limit }) {
      const all = inRoom(roomId).filter(isShown);
      if (after !== undefined) {
        const at = all.findIndex((m) => m.envelopeId === after);
        const rest = at < 0 ? [] : all.slice(at + 1);
        return { messages: rest.slice(0, limit), hasMore: rest.length > limit };
      }
      const end = before === undefined ? all.length : all.findIndex((m) => m.envelopeId === before);
      const upTo = all.slice(0, Math.max(0, end));
      return { messages: upTo.slice(-limit), hasMore: upTo.length > limit };
    },
    thread: (rootId, limit) =>
      [...messages.values()]
        .filter((m) => (m.envelopeId === rootId || m.threadRootId === rootId) && isShown(m))
        .sort(byTime)
        .slice(-limit),
    rooms: () =>
      [...new Set([...messages.values()].map((m) => m.roomId))].map((roomId) => {
        const all = inRoom(roomId);
        const last = all.at(-1);
        const newest = all.filter((m) => !isDeleted(m.envelopeId)).at(-1);
        const read = readUpTo.get(roomId) ?? 0;
        return {
          roomId,
          spaceId: last?.spaceId ?? null,
          lastMessageAt: last?.sentAt ?? 0,
          lastText: newest ? digestText(newest) : '',
          unread: all.filter((m) => (arrival.get(m.envelopeId) ?? 0) > read && m.senderSlug !== ownSlug)
            .length,
        };
      }),
    markRead: (roomId) => {
      readUpTo.set(roomId, counter);
    },
    openWork: () =>
      [...work.entries()]
        .filter(([, row]) => row.status === 'open')
        .flatMap(([id, row]) => {
          const message = messages.get(id);
          return message
            ? [{ message, priority: row.decision.priority, rootId: message.threadRootId ?? id }]
            : [];
        })
        .sort((a, b) => byTime(a.message, b.message)),
    completeTurn(outcome) {
      write();
      outcomes.push(outcome);
      const turn = turns.get(outcome.threadKey);
      const open = turn?.turnId === outcome.turnId ? turn : null;
      if (open) turns.delete(outcome.threadKey);
      transcripts.endAll(outcome.threadKey);
      let closed = 0;
      for (const id of outcome.envelopeIds) {
        const row = work.get(id);
        if (row?.status !== 'open') continue;
        row.status = outcome.status === 'stopped' ? 'silent' : outcome.status;
        row.detail = outcome.detail;
        closed += 1;
      }
      if (closed === 0 && outcome.envelopeIds.length > 0) return;
      for (const reply of outcome.replies) enqueue(reply, ownSlug);
      transcripts.append(outcome.threadKey, outcome.transcript);
      if (open) records.keep(open, outcome);
      const under = outcome.stepsUnder ?? outcome.replies.at(-1)?.envelopeId;
      if (under !== undefined && outcome.steps.length > 0) steps.set(under, outcome.steps);
    },
    takeIntoTurn(turn, message) {
      write();
      const known = turns.get(turn.threadKey);
      const entries = transcripts.load(turn.threadKey);
      const firstSeq = known?.turnId === turn.turnId ? known.firstSeq : (entries.at(-1)?.seq ?? 0) + 1;
      turns.set(turn.threadKey, { ...turn, firstSeq });
      if (message) transcripts.append(turn.threadKey, [message]);
    },
    openTurn: (threadKey) => turns.get(threadKey) ?? null,
    openTurns: () => [...turns.values()].sort((a, b) => a.startedAt - b.startedAt),
    reopen(id, reason) {
      write();
      const row = work.get(id);
      if (!row || row.decision.react) return;
      work.set(id, { decision: { ...row.decision, react: true, reason }, status: 'open', detail: '' });
    },
    askAgain(id) {
      write();
      const row = work.get(id);
      if (!row?.decision.react || row.status === 'open' || row.status === null) return false;
      work.set(id, { ...row, status: 'open', detail: '' });
      return true;
    },
    steps: (id) => steps.get(id) ?? [],
    transcripts,
    turns: records,
    queries: memoryMessageQueries(() => messages.values(), decision),
    search: memoryMessageSearch(() => messages.values()),
    enqueue: (draft, senderSlug) => {
      write();
      enqueue(draft, senderSlug);
    },
    outbox: (id) => outbox.get(id) ?? null,
    openOutbox: () => [...outbox.values()].filter((row) => row.state === 'queued' || row.state === 'sealed'),
    outboxSealed: (id, sealed, contentKey, nonce, sentAt) => {
      changeRow(id, { state: 'sealed', sealed, contentKey });
      const message = messages.get(id);
      if (message && sentAt !== undefined) messages.set(id, { ...message, sentAt });
      if (nonce !== undefined) nonces.set(`${messages.get(id)?.senderSlug ?? ''} ${nonce}`, id);
    },
    outboxSettled: (id, state, error) => changeRow(id, { state, error }),
    outboxAttempted: (id, error) => changeRow(id, { attempts: (outbox.get(id)?.attempts ?? 0) + 1, error }),
    outboxFiles: {
      setContent(id, content) {
        const message = messages.get(id);
        if (outbox.get(id)?.state !== 'queued') return;
        changeRow(id, { content });
        if (message) messages.set(id, { ...message, content });
      },
      unsent: (contentType) =>
        [...outbox.values()].filter((row) => row.state !== 'sent' && row.contentType === contentType),
      retry(id) {
        if (outbox.get(id)?.state !== 'failed') return false;
        changeRow(id, { state: 'queued', sealed: null, contentKey: null, error: null });
        return true;
      },
    },
    countRefused: (reason) => {
      refused[reason] = (refused[reason] ?? 0) + 1;
    },
    refused: () => refused,
    messageCount: () => messages.size,
    getValue: (key) => values.get(key) ?? null,
    setValue: (key, value) => {
      values.set(key, value);
    },
    release: () => undefined,
  };
}
