import type { Result } from '../../contract/result.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { chooseModel, type ModelChoice } from '../../core/models/choose-model.ts';
import { createProviderGate } from '../../core/models/provider-gate.ts';
import type { ModelPort } from '../../core/ports.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import type { HostPorts } from '../host-ports.ts';
import type { ApiKeys } from '../secrets.ts';

type Adapter = ModelChoice['adapter'];

/** Which model an agent uses, and the adapters to reach it; adapters are loaded when first used. */
export interface ModelAccess {
  choose(agentId: string, config: AgentConfig): Result<ModelChoice>;
  model(adapter: Adapter): Promise<ModelPort | null>;
  readonly gate: ReturnType<typeof createProviderGate>;
}

const adapters: readonly Adapter[] = ['openai-responses', 'openai-completions', 'scripted'];

export function createModelAccess(ports: HostPorts, keys: ApiKeys, settings: DaemonSettings): ModelAccess {
  const loaded = new Map<Adapter, Promise<ModelPort | null>>();

  const load = async (adapter: Adapter): Promise<ModelPort | null> => {
    if (adapter === 'scripted') {
      const { createScriptedModel } = await import('../../services/models/scripted.ts');
      return createScriptedModel({ clock: ports.clock });
    }
    if (adapter !== 'openai-responses' && adapter !== 'openai-completions') return null;
    const { createOpenAiCompatibleModel } = await import('../../services/models/openai-compatible.ts');
    return createOpenAiCompatibleModel({ clock: ports.clock, fetch: ports.fetch });
  };

  return {
    choose: (agentId, { runtime }) =>
      chooseModel({
        agent: { provider: runtime.provider, model: runtime.model, baseUrl: runtime.base_url },
        defaultProvider: settings.defaultProvider(),
        daemonFor: (provider) => settings.provider(provider),
        keyFor: (provider) => keys.find(agentId, provider),
        adapters,
      }),
    model(adapter) {
      const known = loaded.get(adapter) ?? load(adapter);
      loaded.set(adapter, known);
      return known;
    },
    gate: createProviderGate(ports),
  };
}
