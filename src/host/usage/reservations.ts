import type { BudgetScope, Used } from '../../core/models/budget.ts';
import type { SpendHold } from '../../core/models/spend-gate.ts';

// Likely cost of the requests under way. In memory only: a restart ends the requests, too.

export interface Reservations {
  /** The scopes with the requests under way counted as used; the same scopes if none is under way. */
  counted(agentId: string, scopes: readonly BudgetScope[]): readonly BudgetScope[];
  hold(agentId: string, cost: Used): SpendHold;
  /** Resolves at the next release, or on abort. */
  released(signal: AbortSignal): Promise<void>;
}

const plus = (a: Used, b: Used): Used => ({
  tokens: a.tokens + b.tokens,
  usd: a.usd + b.usd,
  simulatedUsd: a.simulatedUsd + b.simulatedUsd,
});
const nothing: Used = { tokens: 0, usd: 0, simulatedUsd: 0 };

export function createReservations(): Reservations {
  const held = new Set<{ readonly agentId: string; readonly cost: Used }>();
  const waiting = new Set<() => void>();
  const sum = (fits: (agentId: string) => boolean): Used =>
    [...held].reduce((total, { agentId, cost }) => (fits(agentId) ? plus(total, cost) : total), nothing);
  return {
    counted(agentId, scopes) {
      if (held.size === 0) return scopes;
      return scopes.map((scope) => {
        const used = sum((holder) => scope.scope === 'total' || holder === agentId);
        return { ...scope, day: plus(scope.day, used), month: plus(scope.month, used) };
      });
    },
    hold(agentId, cost) {
      const entry = { agentId, cost };
      held.add(entry);
      return {
        release() {
          if (!held.delete(entry)) return;
          for (const wake of [...waiting]) wake();
        },
      };
    },
    released(signal) {
      return new Promise((resolve) => {
        const wake = (): void => {
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        if (signal.aborted) return resolve();
        waiting.add(wake);
        signal.addEventListener('abort', wake, { once: true });
      });
    },
  };
}
