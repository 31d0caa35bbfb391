import type { Result } from '../../contract/result.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { ModelChoice } from '../../core/models/choose-model.ts';
import {
  type FactSources,
  type ModelName,
  modelFacts,
  type ReportedFacts,
} from '../../core/models/model-facts.ts';
import type { ModelFacts } from '../../core/models/model-ports.ts';
import { providerInfo } from '../../core/models/providers.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import type { AskedFacts } from '../../services/models/ask-model-facts.ts';
import type { HostPorts } from '../host-ports.ts';

/** Facts about a model, by priority: agent.yml, daemon.yml, the server's report, the built-in table. */
export interface ModelKnowledge {
  /** Without a server request. `agentId` is `null` to ignore every agent's settings. */
  known(agentId: string | null, name: ModelName): ModelFacts;
  /** Asks the model's server unless it answered recently; takes 2 s at most. */
  facts(agentId: string | null, choice: ModelChoice): Promise<ModelFacts>;
}

export interface ModelKnowledgeDeps {
  readonly ports: Pick<HostPorts, 'clock' | 'fetch'>;
  readonly settings: Pick<DaemonSettings, 'config'>;
  readonly agents: Pick<AgentStore, 'get'>;
  readonly choose: (agentId: string, config: AgentConfig) => Result<ModelChoice>;
}

/** ms; the window may change when the server loads or reloads the model. */
const settledMs = 600_000;
const unsettledMs = 30_000;
const mostKept = 100;

interface Kept {
  readonly reported: Promise<ReportedFacts | null>;
  /** ms of the monotonic clock. */
  until: number;
}

/** Local model servers report the abilities of their models. */
function canBeAsked({ provider }: ModelChoice): boolean {
  const info = providerInfo(provider);
  return info !== null && info.adapter === 'openai-completions' && !info.needsKey;
}

export function createModelKnowledge({
  ports,
  settings,
  agents,
  choose,
}: ModelKnowledgeDeps): ModelKnowledge {
  const kept = new Map<string, Kept>();

  /** An agent's settings apply to its own model, not to one that a workflow names. */
  const ownSettings = (agentId: string, name: ModelName): AgentConfig['runtime'] | null => {
    const config = agents.get(agentId)?.lastGood;
    const chosen = config ? choose(agentId, config) : null;
    if (!config || !chosen?.ok) return null;
    const { provider, model } = chosen.value;
    return provider === name.provider && model === name.model ? config.runtime : null;
  };
  const known = (agentId: string | null, name: ModelName, reported: FactSources['reported'] = null) => {
    const day = new Date(ports.clock.now()).toISOString().slice(0, 10);
    const { prices, models } = settings.config();
    const agent = agentId === null ? null : ownSettings(agentId, name);
    return modelFacts(name, day, { prices, models, agent, reported });
  };
  const ask = async (choice: ModelChoice): Promise<AskedFacts | null> => {
    const { askModelFacts } = await import('../../services/models/ask-model-facts.ts');
    return askModelFacts(ports, choice);
  };
  const reportedBy = (choice: ModelChoice): Promise<ReportedFacts | null> => {
    const key = JSON.stringify([choice.provider, choice.baseUrl, choice.model]);
    const before = kept.get(key);
    if (before && ports.clock.monotonic() < before.until) return before.reported;
    const reported = ask(choice);
    const entry: Kept = { reported, until: Number.POSITIVE_INFINITY };
    void reported.then((found) => {
      entry.until = ports.clock.monotonic() + (found?.settled ? settledMs : unsettledMs);
    });
    kept.delete(key);
    const [oldest] = kept.keys();
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
    kept.set(key, entry);
    return reported;
  };

  return {
    known: (agentId, name) => known(agentId, name),
    facts: async (agentId, choice) =>
      known(agentId, choice, canBeAsked(choice) ? await reportedBy(choice) : null),
  };
}
