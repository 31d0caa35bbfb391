import { ok, type Result } from '../../contract/result.ts';
import type { Budget } from '../../contract/work.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { Handlers } from '../dispatch.ts';
import { checkVersion, versionOf } from '../edit-version.ts';
import type { UsageService } from './usage.ts';

type UsageMethods = Pick<Handlers, 'usage.get' | 'usage.setBudget'>;

/** Field names of agent.yml and daemon.yml. */
const budgetFields = (budget: Budget) => ({
  tokens_per_day: budget.tokensPerDay,
  tokens_per_month: budget.tokensPerMonth,
  usd_per_day: budget.usdPerDay,
  usd_per_month: budget.usdPerMonth,
});

const digest = (budget: Budget | undefined): string => versionOf(budget && budgetFields(budget));

export interface UsageHandlersDeps {
  readonly usage: Pick<UsageService, 'view' | 'budgetChanged'>;
  readonly agents: AgentStore;
  readonly settings: Pick<DaemonSettings, 'setBudget'>;
}

export function createUsageHandlers({ usage, agents, settings }: UsageHandlersDeps): UsageMethods {
  const idOf = (ref: string | undefined): Result<string | null> => {
    if (ref === undefined) return ok(null);
    const found = findAgent(agents, ref);
    return found.ok ? ok(found.value.id) : found;
  };
  return {
    'usage.get': ({ agent, days }) => {
      // Users of the stream proxy are counted under their own ids.
      const id = agent?.startsWith('proxy:') ? ok(agent) : idOf(agent);
      return id.ok ? usage.view(id.value, days) : id;
    },
    'usage.setBudget': ({ agent, budget, before }) => {
      const id = idOf(agent);
      if (!id.ok) return id;
      const now = before === undefined ? null : usage.view(id.value, 1);
      if (now !== null && !now.ok) return now;
      const current = now === null ? ok(undefined) : checkVersion(digest(before), digest(now.value.budget));
      if (!current.ok) return current;
      const fields = budgetFields(budget);
      const saved: Result<unknown> =
        id.value === null ? settings.setBudget(fields) : agents.update(id.value, { budget: fields });
      if (!saved.ok) return saved;
      usage.budgetChanged(id.value);
      return ok({});
    },
  };
}
