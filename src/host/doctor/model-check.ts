import { hintOf } from '../../contract/errors.ts';
import { placedMessage } from '../../contract/located-message.ts';
import type { MethodOutput, MethodParsed } from '../../contract/methods.ts';
import type { DoctorCheck } from '../../contract/model.ts';
import type { Result } from '../../contract/result.ts';
import { say } from '../../language/say.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { configInForce, type SummarizeAgent } from '../agents/agent-view.ts';
import type { ApiKeySecrets } from '../vault/secrets.ts';

/** Providers asked in one check-up. */
const mostProviders = 8;

export interface ModelCheckDeps {
  readonly agents: Pick<AgentStore, 'list'>;
  readonly summarize: SummarizeAgent;
  readonly apiKeys: Pick<ApiKeySecrets, 'hasOwn'>;
  /** Asks the provider with the key that the agent would use; costs no tokens. */
  readonly listModels: (
    wish: MethodParsed<'models.list'>,
  ) => Promise<Result<MethodOutput<'models.list'>>> | Result<MethodOutput<'models.list'>>;
}

interface Use {
  readonly provider: string;
  /** One of the agents that use this provider at the same address with the same key. */
  readonly agent: string;
}

/** Providers in use, once for each address and owner of a key; scripted agents need neither model nor key. */
function providersInUse({ agents, summarize, apiKeys }: ModelCheckDeps): readonly Use[] {
  const found = new Map<string, Use>();
  for (const agent of agents.list()) {
    const { provider, scripted } = summarize(agent);
    if (scripted || provider === '') continue;
    const { runtime } = configInForce(agent);
    const address = runtime.provider === provider ? runtime.base_url : '';
    const place = JSON.stringify([provider, address, apiKeys.hasOwn(agent.id) ? agent.id : '']);
    if (!found.has(place)) found.set(place, { provider, agent: agent.id });
  }
  return [...found.values()];
}

/** Reports for each provider in use whether it answers, and accepts the key. */
export async function checkModels(deps: ModelCheckDeps): Promise<DoctorCheck[]> {
  const used = providersInUse(deps).slice(0, mostProviders);
  const checks = used.map(async ({ provider, agent }, at): Promise<readonly DoctorCheck[]> => {
    const isFirst = used.findIndex((one) => one.provider === provider) === at;
    const check = {
      id: isFirst ? `model-${provider}` : `model-${provider}-${agent}`,
      title: isFirst ? say('doctor.models', { provider }) : say('doctor.modelsFor', { provider, agent }),
    } as const;
    const listed = await deps.listModels({ provider, agent, fresh: true });
    if (!listed.ok) {
      const { code } = listed.error;
      // Some providers have no list to ask for.
      if (code === 'unsupported') return [];
      const detail = placedMessage(listed.error);
      return [{ ...check, status: 'fail', detail, hint: hintOf(listed.error) }];
    }
    const count = listed.value.models.length;
    return [{ ...check, status: 'ok', detail: say('doctor.listsModels', { count }) }];
  });
  return (await Promise.all(checks)).flat();
}
