import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { despiteStore, StoreError } from '../../core/lib/store-error.ts';
import {
  type BudgetScope,
  checkBudget,
  type LimitUse,
  limitUses,
  type PriceState,
  raisable,
  type Used,
} from '../../core/models/budget.ts';
import { costOf, type ModelName } from '../../core/models/model-facts.ts';
import { providerInfo } from '../../core/models/providers.ts';
import type { SpendGate, SpendRequest, SpendRow } from '../../core/models/spend-gate.ts';
import { unpriced, unreadableUsage, usedUp, type Whose } from './budget-errors.ts';
import type { BudgetScopes } from './budget-scopes.ts';
import type { Budgets } from './budgets.ts';
import { dayOf } from './days.ts';
import type { Ledger } from './ledger.ts';
import { createReservations } from './reservations.ts';
import type { SpendQuestions } from './spend-questions.ts';

export interface SpendGateDeps {
  readonly ledger: Ledger;
  readonly scopes: BudgetScopes;
  readonly questions: Pick<SpendQuestions, 'about'>;
  readonly budgets: Pick<Budgets, 'nameOf' | 'price'>;
  /** A response was counted or limits were read: their state for this agent and for all. */
  onLimits(agentId: string, uses: readonly LimitUse[]): void;
  onRecorded(agentId: string): void;
}

/** Checks budgets before each request and records each response. */
export interface HostSpendGate extends SpendGate {
  /** Throws `StoreError`. */
  uses(agentId: string | null): readonly LimitUse[];
}

export function createSpendGate(deps: SpendGateDeps): HostSpendGate {
  const { ledger, scopes: scopesOf, budgets } = deps;
  const whose = (scope: BudgetScope['scope'], agentId: string): Whose =>
    scope === 'total' ? { agentId: null, name: 'all agents' } : { agentId, name: budgets.nameOf(agentId) };

  /** Models whose provider failed to report an expected cost. */
  const unreported = new Set<string>();
  const keyOf = ({ provider, model }: ModelName): string => `${provider}/${model}`;
  const priceState = (agentId: string, name: ModelName): PriceState => {
    const price = budgets.price(agentId, name);
    if (price) return price.simulated ? 'simulated' : 'known';
    const reported = providerInfo(name.provider)?.reportsCost === true && !unreported.has(keyOf(name));
    return reported ? 'known' : 'unknown';
  };

  const judge = (agentId: string, name: ModelName): AppError | null => {
    const scopes = scopesOf(agentId);
    if (scopes.length === 0) return null;
    deps.onLimits(agentId, limitUses(scopes));
    const verdict = checkBudget(scopes, priceState(agentId, name));
    switch (verdict.type) {
      case 'go':
        return null;
      case 'unpriced':
        return unpriced(`${name.provider}/${name.model}`, whose(verdict.scope, agentId));
      case 'used_up':
        return usedUp(verdict.by, whose(verdict.by.scope, agentId));
    }
  };

  const admit = (agentId: string, name: ModelName): Result<void> => {
    try {
      const error = judge(agentId, name);
      return error ? err(error) : ok(undefined);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return err(unreadableUsage(error.message));
    }
  };

  const reservations = createReservations();
  const fits = ({ agentId, target }: SpendRequest): boolean => {
    const counted = reservations.counted(agentId, scopesOf(agentId));
    return checkBudget(counted, priceState(agentId, target)).type === 'go';
  };
  const likelyCost = ({ agentId, target, input, output }: SpendRequest): Used => {
    const price = budgets.price(agentId, target);
    const tokens = input + output;
    const usage = { input, output, cacheRead: 0, cacheWrite: 0, totalTokens: tokens };
    const usd = costOf(usage, price)?.total ?? 0;
    return price?.simulated ? { tokens, usd: 0, simulatedUsd: usd } : { tokens, usd, simulatedUsd: 0 };
  };

  return {
    admit,
    async reserve(request, signal) {
      for (;;) {
        const admitted = admit(request.agentId, request.target);
        if (!admitted.ok) return admitted;
        if (signal.aborted) return err(fail('cancelled', 'turns.replyStopped'));
        if (despiteStore(() => fits(request), true))
          return ok(reservations.hold(request.agentId, likelyCost(request)));
        await reservations.released(signal);
      }
    },
    question(turn, name) {
      const stops = () => raisable(scopesOf(turn.agentId), priceState(turn.agentId, name));
      return despiteStore(() => deps.questions.about(turn, stops), null);
    },
    isPriced: (agentId, name) => priceState(agentId, name) !== 'unknown',
    record(row: SpendRow): void {
      const { usage, agentId } = row;
      const cost = usage.cost ?? costOf(usage, budgets.price(agentId, row));
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
