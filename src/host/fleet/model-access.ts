import type { Result } from '../../contract/result.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { type ChooseModelInput, chooseModel, type ModelChoice } from '../../core/models/choose-model.ts';
import { type RenewToken, withFreshToken } from '../../core/models/fresh-token.ts';
import { withHttpRetry } from '../../core/models/http-retry.ts';
import type { ModelPort } from '../../core/models/model-ports.ts';
import { createProviderGate, type PauseStore } from '../../core/models/provider-gate.ts';
import type { AdapterName } from '../../core/models/providers.ts';
import { createModelRouter, type ModelRouter } from '../../core/models/router.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import { modelAdapters } from '../../services/models/adapters.ts';
import type { HostPorts } from '../host-ports.ts';
import { createModelKnowledge, type ModelKnowledge } from '../models/model-knowledge.ts';
import type { ApiKeySecrets } from '../vault/secrets.ts';

/** The model of each agent and the adapters that reach it; adapters are loaded on first use. */
export interface ModelAccess extends ModelKnowledge {
  /** For display: the login's token may be expired. */
  choose(agentId: string, config: AgentConfig): Result<ModelChoice>;
  /** For requests: renews the login's token if needed. */
  chooseFresh(agentId: string, config: AgentConfig): Promise<Result<ModelChoice>>;
  /** The host's model for other callers: without an agent's own key or base URL. */
  chooseFor(wish: { readonly provider: string; readonly model: string }): Promise<Result<ModelChoice>>;
  /** For display: the model of agents without one of their own. */
  chooseDefault(): Result<ModelChoice>;
  model(adapter: AdapterName): Promise<ModelPort | null>;
  readonly gate: ReturnType<typeof createProviderGate>;
}

type ModelAccessPorts = Pick<HostPorts, 'clock' | 'random' | 'fetch' | 'log'>;

export interface ModelAccessDeps {
  readonly ports: ModelAccessPorts;
  /** API keys, and tokens of logins. */
  readonly keys: Pick<ApiKeySecrets, 'find'> & {
    readonly token: (provider: string, refused?: string) => Promise<Result<string>>;
  };
  readonly settings: Pick<DaemonSettings, 'config' | 'defaultProvider' | 'provider'>;
  readonly agents: Pick<AgentStore, 'get'>;
  /** In the demo, agents without a model follow the script. */
  readonly isDemo: () => boolean;
  /** Long waits of accounts. */
  readonly pauses: PauseStore;
}

/** An agent id that has no key. */
const nobody = '';

export function createModelAccess(deps: ModelAccessDeps): ModelAccess {
  const { ports, settings, agents, keys } = deps;
  const router = hostRouter(ports, keys.token);

  const chooseWith = (agentId: string, agent: ChooseModelInput['agent']): Result<ModelChoice> =>
    chooseModel({
      agent,
      defaultProvider: settings.defaultProvider(),
      daemonFor: (provider) => settings.provider(provider),
      keyFor: (provider) => keys.find(agentId, provider),
      adapters: router.names(),
      isScriptAllowed: deps.isDemo,
    });
  const freshen = async (chosen: Result<ModelChoice>): Promise<Result<ModelChoice>> => {
    if (!chosen.ok || chosen.value.auth !== 'oauth') return chosen;
    const now = await keys.token(chosen.value.provider);
    return now.ok ? { ok: true, value: { ...chosen.value, apiKey: now.value } } : now;
  };
  const choose = (agentId: string, { runtime }: AgentConfig): Result<ModelChoice> =>
    chooseWith(agentId, { provider: runtime.provider, model: runtime.model, baseUrl: runtime.base_url });

  return {
    ...createModelKnowledge({ ports, settings, agents, choose }),
    choose,
    chooseFresh: (agentId, config) => freshen(choose(agentId, config)),
    chooseFor: (wish) => freshen(chooseWith(nobody, { ...wish, baseUrl: '' })),
    chooseDefault: () => chooseWith(nobody, { provider: '', model: '', baseUrl: '' }),
    model: router.adapter,
    gate: createProviderGate({ ...ports, pauses: deps.pauses }),
  };
}

function hostRouter({ clock, random, fetch, log }: ModelAccessPorts, renew: RenewToken): ModelRouter {
  const router = createModelRouter();
  const deps = { clock, fetch, log };
  for (const name of Object.keys(modelAdapters) as AdapterName[]) {
    router.register(name, async () => {
      const model = await modelAdapters[name](deps);
      return name === 'scripted' ? model : withHttpRetry(withFreshToken(model, renew), { clock, random });
    });
  }
  return router;
}
