/** A spending gate without budgets; `change` replaces what a test looks at. */
import { ok } from '../../src/contract/result.ts';
import type { SpendGate } from '../../src/core/models/spend-gate.ts';

export function createFreeSpend(change: Partial<SpendGate> = {}): SpendGate {
  const admit = change.admit ?? (() => ok(undefined));
  return {
    admit,
    async reserve({ agentId, target }) {
      const admitted = admit(agentId, target);
      return admitted.ok ? ok({ release: () => undefined }) : admitted;
    },
    question: () => null,
    isPriced: () => true,
    record: () => undefined,
    ...change,
  };
}
