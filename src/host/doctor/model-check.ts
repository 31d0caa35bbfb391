import { errorSentence } from '../../contract/error-text.ts';
import type { MethodOutput, MethodParsed } from '../../contract/methods.ts';
import type { DoctorCheck } from '../../contract/model.ts';
import type { Result } from '../../contract/result.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { SummarizeAgent } from '../agents/agent-view.ts';

/** Providers asked in one check-up. */
const mostProviders = 8;

export interface ModelCheckDeps {
  readonly agents: Pick<AgentStore, 'list'>;
  readonly summarize: SummarizeAgent;
  /** Asks the provider with the key that the agent would use; costs no tokens. */
  readonly listModels: (
    wish: MethodParsed<'models.list'>,
  ) => Promise<Result<MethodOutput<'models.list'>>> | Result<MethodOutput<'models.list'>>;
}

/** Agents in use by provider; scripted ones need neither model nor key. */
function agentsByProvider({ agents, summarize }: ModelCheckDeps): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const agent of agents.list()) {
    const { provider, scripted } = summarize(agent);
    if (scripted || provider === '') continue;
    found.set(provider, [...(found.get(provider) ?? []), agent.id]);
  }
  return found;
}

/** Reports for each provider in use whether it answers, and accepts the key. */
export async function checkModels(deps: ModelCheckDeps): Promise<DoctorCheck[]> {
  const used = [...agentsByProvider(deps)].slice(0, mostProviders);
  return Promise.all(
    used.map(async ([provider, [agent = '']]): Promise<DoctorCheck> => {
      const check = { id: `model-${provider}`, title: `Models of ${provider}` } as const;
      const listed = await deps.listModels({ provider, agent, fresh: true });
      if (!listed.ok) {
        const { hint } = listed.error;
        const said = { ...check, status: 'fail', detail: errorSentence(listed.error) } as const;
        return hint ? { ...said, hint } : said;
      }
      const count = listed.value.models.length;
      return {
        ...check,
        status: 'ok',
        detail: `It answers and lists ${count === 1 ? 'one model' : `${count} models`}.`,
      };
    }),
  );
}
