/** Ended and open turns in memory, with the semantics of the SQLite store. */

import type { TurnContents, TurnQuery, TurnRecord, TurnRecords } from '../../src/core/agents/turn-records.ts';
import type { OpenTurn, TurnOutcome } from '../../src/core/puffo/account-store.ts';
import type { MemoryTranscriptStore } from './memory-transcript-store.ts';

interface Ended {
  readonly record: TurnRecord;
  readonly contents: TurnContents;
}

export class MemoryTurnRecords implements TurnRecords {
  readonly #open: ReadonlyMap<string, OpenTurn>;
  readonly #transcripts: MemoryTranscriptStore;
  readonly #ended = new Map<string, Ended>();

  constructor(open: ReadonlyMap<string, OpenTurn>, transcripts: MemoryTranscriptStore) {
    this.#open = open;
    this.#transcripts = transcripts;
  }

  keep(turn: OpenTurn, outcome: TurnOutcome): void {
    const { status, detail, at, steps, replies, stepsUnder, trace, envelopeIds } = outcome;
    const said = replies.map(({ envelopeId }) => envelopeId);
    const record: TurnRecord = {
      ...turnOf(turn),
      envelopeIds,
      detail,
      stepCount: steps.length,
      endedAt: Math.max(at, turn.startedAt),
      status,
      replyIds: said.length > 0 || stepsUnder === undefined ? said : [stepsUnder],
    };
    const messages = this.#since(turn);
    this.#ended.set(turn.turnId, { record, contents: { steps, trace: trace ?? [], messages, calls: [] } });
  }

  list({ before, statuses, roomId, since, until, limit }: TurnQuery): readonly TurnRecord[] {
    const isBefore = ({ startedAt, turnId }: TurnRecord): boolean =>
      before === undefined ||
      startedAt < before.startedAt ||
      (startedAt === before.startedAt && turnId < before.turnId);
    return this.#all()
      .filter((turn) => isBefore(turn) && (statuses?.includes(turn.status) ?? true))
      .filter((turn) => (roomId === undefined || turn.roomId === roomId) && turn.startedAt >= (since ?? -1))
      .filter((turn) => turn.startedAt <= (until ?? Number.MAX_SAFE_INTEGER))
      .sort((a, b) => b.startedAt - a.startedAt || (a.turnId < b.turnId ? 1 : -1))
      .slice(0, limit);
  }

  startingWith(prefix: string): readonly TurnRecord[] {
    return this.#all().filter(({ turnId }) => turnId.startsWith(prefix));
  }

  contents(turnId: string): TurnContents {
    const open = [...this.#open.values()].find((turn) => turn.turnId === turnId);
    const empty: TurnContents = { steps: [], trace: [], messages: open ? this.#since(open) : [], calls: [] };
    return this.#ended.get(turnId)?.contents ?? empty;
  }

  #since({ threadKey, firstSeq }: OpenTurn): TurnContents['messages'] {
    return this.#transcripts.load(threadKey).filter(({ seq }) => seq >= firstSeq);
  }

  #all(): TurnRecord[] {
    const open = [...this.#open.values()].map(
      (turn): TurnRecord => ({
        ...turnOf(turn),
        endedAt: null,
        status: 'open',
        detail: '',
        stepCount: 0,
        replyIds: [],
      }),
    );
    return [...open, ...[...this.#ended.values()].map(({ record }) => record)];
  }
}

const turnOf = ({ turnId, threadKey, roomId, rootId, envelopeIds, startedAt }: OpenTurn) => ({
  turnId,
  threadKey,
  roomId,
  rootId,
  envelopeIds,
  startedAt,
});
