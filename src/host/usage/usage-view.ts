import type { Budget, UsageView } from '../../contract/work.ts';
import type { LimitUse } from '../../core/models/budget.ts';
import type { Spending, UsageStore } from '../../services/db/usage-store.ts';
import { lastDays } from './days.ts';
import { nothingSpent, spendOf } from './ledger.ts';

export interface UsageQuestion {
  /** `null` for all agents together. */
  readonly agentId: string | null;
  readonly days: number;
  readonly now: number;
  readonly budget: Budget;
  readonly uses: readonly LimitUse[];
  readonly today: Spending;
  readonly month: Spending;
}

const maxThreads = 50;

/** `store` is `null` if nothing was ever recorded. Throws `StoreError`. */
export function viewUsage(store: UsageStore | null, question: UsageQuestion): UsageView {
  const days = lastDays(question.now, question.days);
  const [from = '', to = ''] = [days[0], days.at(-1)];
  const query = { from, to, agentId: question.agentId };
  const byDay = new Map(store?.byDay(query).map((row) => [row.day, row]));
  return {
    days: days.map((day) => {
      const { calls, input, output, cacheRead, cacheWrite, ...rest } = byDay.get(day) ?? nothingSpent;
      const spend = spendOf({ calls, input, output, cacheRead, cacheWrite, ...rest });
      const { usd, unpriced, simulated } = spend;
      return { day, calls, input, output, cacheRead, cacheWrite, usd, unpriced, simulated };
    }),
    byModel: (store?.byModel(query) ?? []).map(({ provider, model, ...row }) => ({
      provider,
      model,
      calls: row.calls,
      spend: spendOf(row),
    })),
    byThread: (store?.byThread(query, maxThreads) ?? []).map(({ threadKey, ...row }) => ({
      threadKey,
      calls: row.calls,
      spend: spendOf(row),
    })),
    today: spendOf(question.today),
    month: spendOf(question.month),
    budget: question.budget,
    used: question.uses.map(({ scope, limit, simulated, max, share }) => ({
      scope: scope === 'total' && question.agentId !== null ? 'total' : 'own',
      limit,
      simulated,
      max,
      share,
    })),
  };
}
