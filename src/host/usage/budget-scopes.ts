import type { BudgetLimits, BudgetScope } from '../../core/models/budget.ts';
import type { Clock } from '../../core/ports.ts';
import type { Allowances } from './allowances.ts';
import type { Budgets } from './budgets.ts';
import { dayOf, monthOf, periodOf } from './days.ts';
import { type Ledger, usedOf } from './ledger.ts';

export interface BudgetScopesDeps {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly allowances: Pick<Allowances, 'of'>;
  readonly budgets: Pick<Budgets, 'limits'>;
}

/**
 * The budgets that apply to an agent, its own and that of all agents together, with what is used of them; only
 * the latter if `agentId` is `null`. Throws `StoreError`.
 */
export type BudgetScopes = (agentId: string | null) => BudgetScope[];

const limitNames = ['tokensPerDay', 'tokensPerMonth', 'usdPerDay', 'usdPerMonth'] as const;
const hasLimit = (limits: BudgetLimits): boolean => Object.values(limits).some((limit) => limit !== null);

export function createBudgetScopes({ clock, ledger, allowances, budgets }: BudgetScopesDeps): BudgetScopes {
  const extraOf = (agentId: string | null): NonNullable<BudgetScope['extra']> => {
    const of = (limit: keyof BudgetLimits): number =>
      allowances.of(agentId, limit, periodOf(limit, clock.now()))?.extra ?? 0;
    return Object.fromEntries(limitNames.map((limit) => [limit, of(limit)]));
  };
  const scopeOf = (scope: BudgetScope['scope'], agentId: string | null): BudgetScope | null => {
    const limits = budgets.limits(agentId);
    if (!hasLimit(limits)) return null;
    const day = dayOf(clock.now());
    const period = (key: string) => usedOf(ledger.spent(agentId, key));
    return { scope, limits, extra: extraOf(agentId), day: period(day), month: period(monthOf(day)) };
  };
  return (agentId) =>
    [agentId === null ? null : scopeOf('agent', agentId), scopeOf('total', null)].filter(
      (scope) => scope !== null,
    );
}
