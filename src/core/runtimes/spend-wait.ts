/**
 * A turn with a used-up budget while the operator is asked: it is shown as waiting, lends its slot to the
 * agent's other threads, and its clock is paused. It promises to return as soon as the turn is stopped or
 * left.
 */

import { say } from '../../language/say.ts';
import type { SpendQuestion } from '../models/spend-gate.ts';
import type { TurnSlot } from '../supervisor/runtime-port.ts';
import type { TurnClock } from './turn-clock.ts';
import type { TurnSteps } from './turn-steps.ts';

export interface WaitingTurn {
  readonly place: TurnSlot;
  readonly clock: TurnClock;
  readonly steps: TurnSteps;
  /**
   * Called when the turn has its slot again: the agent's other turns may have changed its notes meanwhile.
   */
  back(): void;
}

function untilAborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    else signal.addEventListener('abort', () => resolve(false), { once: true });
  });
}

/**
 * Resolves with true if the budget is worth checking again. `number` distinguishes the approvals of one turn.
 */
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
    steps.named(callId, say('steps.largerBudget'));
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
