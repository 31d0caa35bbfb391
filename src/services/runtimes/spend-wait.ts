/**
 * A turn whose budget is used up, while the operator is asked: it is shown as waiting, lends its place to the agent's
 * other threads, and the time is not the turn's. It promises to come back as soon as the turn is stopped or left.
 */
import type { SpendQuestion } from '../../core/model-ports.ts';
import type { TurnPlace } from '../../core/runtime-ports.ts';
import type { TurnClock } from './turn-clock.ts';
import type { TurnSteps } from './turn-steps.ts';

export interface WaitingTurn {
  readonly place: TurnPlace;
  readonly clock: TurnClock;
  readonly steps: TurnSteps;
  /** The place is the turn's again: others of the agent may have noted down anything meanwhile. */
  back(): void;
}

function untilAborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    else signal.addEventListener('abort', () => resolve(false), { once: true });
  });
}

/** True: more may be spent, or it is worth looking again. `number` tells the questions of one turn apart. */
export async function waitForMoney(
  turn: WaitingTurn,
  { approvalId, answered }: SpendQuestion,
  number: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { place, clock, steps } = turn;
  const callId = `spending_${number}`;
  if (approvalId !== null) {
    steps.begin(callId, 'spend_more', {});
    steps.named(callId, 'a larger budget');
    steps.waiting(callId, approvalId);
  }
  clock.pause();
  try {
    const more = await place.lend(Promise.race([answered, untilAborted(signal)]));
    if (!signal.aborted) steps.end(callId, more ? 'done' : 'denied', []);
    return more;
  } finally {
    clock.resume();
    turn.back();
  }
}
