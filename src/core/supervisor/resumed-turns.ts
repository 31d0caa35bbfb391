/**
 * Finds turns that an earlier host run started and did not complete: which resume, and which the operator has
 * stopped.
 */
import { threadKeyOf } from '../agents/thread-key.ts';
import { threadRootOf } from '../agents/thread-root.ts';
import type { Clock } from '../ports.ts';
import type { AccountStore, OpenTurn, OpenWork, TurnOutcome } from '../puffo/account-store.ts';
import { stoppedByOperator } from './turn-outcome.ts';
import type { TurnQueue } from './turn-queue.ts';

interface ResumedDeps {
  readonly store: AccountStore;
  readonly clock: Clock;
}

/** Reason stored with the decision about a stop message. */
export const stopReason = 'stop';
/** Most messages of the room searched for a stop. */
const searched = 100;

/**
 * Queues unfinished turns first, with the messages that they had taken, and skips running ones. Returns the
 * queued messages.
 */
export function queueResumed(
  deps: ResumedDeps,
  queue: TurnQueue,
  open: readonly OpenWork[],
): readonly OpenWork[] {
  const byId = new Map(open.map((one) => [one.message.envelopeId, one]));
  const queued: OpenWork[] = [];
  for (const turn of deps.store.openTurns()) {
    if (queue.inWork(turn.threadKey)) continue;
    const work = turn.envelopeIds.flatMap((id) => byId.get(id) ?? []);
    const withRoot = work.map((one) => ({ ...one, rootId: rootOf(deps, one.message) }));
    if (work.length === 0 || stoppedMeanwhile(deps, turn)) {
      deps.store.completeTurn(ended(turn, deps.clock.now()));
    } else if (queue.addTurn(turn, withRoot)) queued.push(...withRoot);
  }
  return queued;
}

const rootOf = (deps: ResumedDeps, message: OpenWork['message']): string =>
  threadRootOf(message, (id) => deps.store.message(id));

/** The operator sent a stop, but the host died before handling it. */
function stoppedMeanwhile(deps: ResumedDeps, turn: OpenTurn): boolean {
  const { messages } = deps.store.history({ roomId: turn.roomId, limit: searched });
  return messages.some(
    (message) =>
      message.receivedAt >= turn.startedAt &&
      deps.store.decision(message.envelopeId)?.reason === stopReason &&
      threadKeyOf(message.roomId, rootOf(deps, message)) === turn.threadKey,
  );
}

/** Messages that were closed otherwise stay as they are. */
const ended = ({ turnId, threadKey, envelopeIds }: OpenTurn, at: number): TurnOutcome => ({
  turnId,
  threadKey,
  envelopeIds,
  at,
  status: 'stopped',
  detail: stoppedByOperator,
  replies: [],
  transcript: [],
  steps: [],
});
