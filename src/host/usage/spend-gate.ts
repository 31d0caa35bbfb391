import type { AppError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { despiteStore, StoreError } from '../../core/lib/store-error.ts';
import {
  type BudgetLimits,
  type BudgetScope,
  type LimitUse,
  limitUses,
  mayAsk,
  type PriceState,
  raisable,
} from '../../core/models/budget.ts';
import type { ModelPrice } from '../../core/models/model-ports.ts';
import { costOf, type ModelName } from '../../core/models/pricing.ts';
import { providerInfo } from '../../core/models/providers.ts';
import type { SpendGate, SpendRow } from '../../core/models/spend-gate.ts';
import type { Clock } from '../../core/ports.ts';
import type { Allowances } from './allowances.ts';
import { unpriced, unreadable, usedUp, type Whose } from './budget-words.ts';
import { dayOf, monthOf, periodOf } from './days.ts';
import { type Ledger, usedOf } from './ledger.ts';
import type { SpendQuestions } from './spend-questions.ts';

export interface SpendGateDeps {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly allowances: Pick<Allowances, 'of'>;
  readonly questions: Pick<SpendQuestions, 'about'>;
  /** `null` for all agents together. */
  limits(agentId: string | null): BudgetLimits;
  nameOf(agentId: string): string;
  price(agentId: string, name: ModelName): ModelPrice | null;
  /** A response was counted or limits were read: their state for this agent and for all. */
  onLimits(agentId: string, uses: readonly LimitUse[]): void;
  onRecorded(agentId: string): void;
}

/** Checks budgets before each request and records each response. */
export interface HostSpendGate extends SpendGate {
  /** Throws `StoreError`. */
  uses(agentId: string | null): readonly LimitUse[];
}

const limitNames = ['tokensPerDay', 'tokensPerMonth', 'usdPerDay', 'usdPerMonth'] as const;
const hasLimit = (limits: BudgetLimits): boolean => Object.values(limits).some((limit) => limit !== null);

export function createSpendGate(deps: SpendGateDeps): HostSpendGate {
  const { clock, ledger } = deps;

  const extraOf = (agentId: string | null): NonNullable<BudgetScope['extra']> => {
    const of = (limit: keyof BudgetLimits): number =>
      deps.allowances.of(agentId, limit, periodOf(limit, clock.now()))?.extra ?? 0;
    return Object.fromEntries(limitNames.map((limit) => [limit, of(limit)]));
  };
  const scopeOf = (scope: BudgetScope['scope'], agentId: string | null): BudgetScope | null => {
    const limits = deps.limits(agentId);
    if (!hasLimit(limits)) return null;
    const day = dayOf(clock.now());
    const period = (key: string) => usedOf(ledger.spent(agentId, key));
    return { scope, limits, extra: extraOf(agentId), day: period(day), month: period(monthOf(day)) };
  };
  const scopesOf = (agentId: string | null): BudgetScope[] =>
    [agentId === null ? null : scopeOf('agent', agentId), scopeOf('total', null)].filter(
      (scope) => scope !== null,
    );
  const whose = (scope: BudgetScope['scope'], agentId: string): Whose =>
    scope === 'total' ? { agentId: null, name: 'all agents' } : { agentId, name: deps.nameOf(agentId) };

  /** Models whose provider failed to report an expected cost. */
  const unreported = new Set<string>();
  const keyOf = ({ provider, model }: ModelName): string => `${provider}/${model}`;
  const priceState = (agentId: string, name: ModelName): PriceState => {
    const price = deps.price(agentId, name);
    if (price) return price.simulated ? 'simulated' : 'known';
    const reported = providerInfo(name.provider)?.reportsCost === true && !unreported.has(keyOf(name));
    return reported ? 'known' : 'unknown';
  };

  const judge = (agentId: string, name: ModelName): AppError | null => {
    const scopes = scopesOf(agentId);
    if (scopes.length === 0) return null;
    deps.onLimits(agentId, limitUses(scopes));
    const verdict = mayAsk(scopes, priceState(agentId, name));
    switch (verdict.type) {
      case 'go':
        return null;
      case 'unpriced':
        return unpriced(`${name.provider}/${name.model}`, whose(verdict.scope, agentId));
      case 'used_up':
        return usedUp(verdict.by, whose(verdict.by.scope, agentId));
    }
  };

  return {
    admit(agentId, name): Result<void> {
      try {
        const error = judge(agentId, name);
        return error ? err(error) : ok(undefined);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        return err(unreadable(error.message));
      }
    },
    question(turn, name) {
      const stops = () => raisable(scopesOf(turn.agentId), priceState(turn.agentId, name));
      return despiteStore(() => deps.questions.about(turn, stops), null);
    },
    isPriced: (agentId, name) => priceState(agentId, name) !== 'unknown',
    record(row: SpendRow): void {
      const { usage, agentId } = row;
      const cost = usage.cost ?? costOf(usage, deps.price(agentId, row));
      if (cost) unreported.delete(keyOf(row));
      else if (row.unfinished !== true) unreported.add(keyOf(row));
      const counted = ledger.record({ ...row, day: dayOf(row.at), usd: cost?.total ?? null });
      if (!counted) return;
      deps.onRecorded(agentId);
      despiteStore(() => deps.onLimits(agentId, limitUses(scopesOf(agentId))), undefined);
    },
    uses: (agentId) => limitUses(agentId === null ? scopesOf(null) : scopesOf(agentId)),
  };
}
