/** What the models that a step asked cost, kept with the end of the step. */
import type { Spent } from '../../models/usage.ts';

/** Zeros are left out. */
export interface StepCost {
  /** Known US dollars. */
  readonly costUsd?: number;
  /** US dollars at the demo's sample prices. */
  readonly simulatedUsd?: number;
  /** Tokens whose price is unknown. */
  readonly unpriced?: number;
}

export const stepCost = ({ costUsd = 0, simulatedUsd = 0, unpriced = 0 }: StepCost): StepCost => ({
  ...(costUsd > 0 ? { costUsd } : {}),
  ...(simulatedUsd > 0 ? { simulatedUsd } : {}),
  ...(unpriced > 0 ? { unpriced } : {}),
});

export const costOfSpent = ({ usd: costUsd, simulatedUsd, unpriced }: Spent): StepCost =>
  stepCost({ costUsd, simulatedUsd, unpriced });

/** Of all steps of a run so far. */
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
