import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { type BudgetLimits, noLimits } from '../../core/models/budget.ts';
import type { ModelName } from '../../core/models/model-facts.ts';
import type { ModelFacts, ModelPrice } from '../../core/models/model-ports.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';

/** Limits of agent.yml and daemon.yml, and prices of models. */
export interface Budgets {
  /** `agentId` is `null` for all agents together. */
  limits(agentId: string | null): BudgetLimits;
  nameOf(agentId: string): string;
  price(agentId: string, name: ModelName): ModelPrice | null;
}

export interface BudgetsDeps {
  readonly agents: Pick<AgentStore, 'get'>;
  readonly settings: Pick<DaemonSettings, 'config'>;
  readonly models: { known(agentId: string, name: ModelName): Pick<ModelFacts, 'price'> };
}

const limitsOf = (budget: AgentConfig['budget']): BudgetLimits => ({
  tokensPerDay: budget.tokens_per_day,
  tokensPerMonth: budget.tokens_per_month,
  usdPerDay: budget.usd_per_day,
  usdPerMonth: budget.usd_per_month,
});

export function createBudgets({ agents, settings, models }: BudgetsDeps): Budgets {
  return {
    limits(agentId) {
      if (agentId === null) return limitsOf(settings.config().budget);
      const config = agents.get(agentId)?.lastGood;
      return config ? limitsOf(config.budget) : noLimits;
    },
    nameOf: (agentId) => agents.get(agentId)?.lastGood?.display_name || agentId,
    price: (agentId, name) => models.known(agentId, name).price,
  };
}
