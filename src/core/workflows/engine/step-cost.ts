/** Model cost of a step, stored with its end. */
import type { Spent } from '../../models/usage.ts';

/** Zero values are left out. */
export interface StepCost {
  /** US dollars of tokens with a known price. */
  readonly costUsd?: number;
  /** US dollars at the demo's sample prices. */
  readonly simulatedUsd?: number;
  /** Number of tokens without a known price. */
  readonly unpriced?: number;
}

export const stepCost = ({ costUsd = 0, simulatedUsd = 0, unpriced = 0 }: StepCost): StepCost => ({
  ...(costUsd > 0 ? { costUsd } : {}),
  ...(simulatedUsd > 0 ? { simulatedUsd } : {}),
  ...(unpriced > 0 ? { unpriced } : {}),
});

export const costOfSpent = ({ usd: costUsd, simulatedUsd, unpriced }: Spent): StepCost =>
  stepCost({ costUsd, simulatedUsd, unpriced });

export interface RunCost {
  costUsd: number;
  simulatedUsd: number;
  unpriced: number;
}

export function addCost(cost: RunCost, { costUsd = 0, simulatedUsd = 0, unpriced = 0 }: StepCost): void {
  cost.costUsd += costUsd;
  cost.simulatedUsd += simulatedUsd;
  cost.unpriced += unpriced;
}
