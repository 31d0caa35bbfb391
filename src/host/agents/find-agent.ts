import { didYouMean } from '../../contract/did-you-mean.ts';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { say } from '../../language/say.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';

/** Finds an agent by id or full slug; an unknown name fails with a suggestion. */
export function findAgent(agents: Pick<AgentStore, 'get' | 'list'>, wanted: string): Result<LoadedAgent> {
  const found =
    agents.get(wanted) ?? agents.list().find((agent) => agent.lastGood?.puffo_core.slug === wanted);
  if (found) return ok(found);
  const close = didYouMean(
    wanted,
    agents.list().map((agent) => agent.id),
  );
  return err(
    appError(
      'not_found',
      close ? say('agents.didYouMeanAgent', { wanted, close }) : say('agents.unknownAgent', { wanted }),
      { hint: say('agents.runAgentList') },
    ),
  );
}
