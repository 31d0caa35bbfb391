import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { notYet } from '../../core/agents/runtime-triple.ts';
import type { Clock, DiskPort, Random } from '../../core/ports.ts';
import { failure } from '../../core/runtimes/live-turn.ts';
import type { RuntimeAdapter, RuntimeRegistry } from '../../core/runtimes/runtime-adapter.ts';
import type { RuntimePort } from '../../core/supervisor/runtime-port.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { HarnessAccess } from '../harnesses/claude-agent.ts';
import { createHarnessFinder } from '../harnesses/find-harnesses.ts';
import type { HostPorts } from '../host-ports.ts';
import type { AgentFolders } from './agent-folders.ts';
import type { ModelAccess } from './model-access.ts';

export interface RuntimesDeps {
  readonly models: Pick<ModelAccess, 'chooseFresh' | 'model' | 'facts' | 'gate'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly programs: AgentProgramDeps;
}

/** For runtimes that start a program. */
export interface AgentProgramDeps {
  readonly agents: Pick<AgentStore, 'get'>;
  readonly folders: Pick<AgentFolders, 'ready'>;
  readonly disk: DiskPort;
  readonly env: HostPorts['env'];
  readonly harness: HarnessAccess;
}

/** The adapters of the runnable kinds (`contract/runtime-kinds.ts`). */
export const createRuntimes = ({ models, clock, random, programs }: RuntimesDeps): RuntimeRegistry => ({
  'chat-local': async () => {
    const { createChatLocalRuntime } = await import('../../core/runtimes/chat-local.ts');
    const { model, gate } = models;
    return {
      open: ({ id, config, log }, turns) =>
        createChatLocalRuntime({
          turns,
          models: {
            choose: () => models.chooseFresh(id, config()),
            model,
            facts: (choice) => models.facts(id, choice),
            gate,
          },
          clock,
          random,
          log,
        }),
    };
  },
  'cli-local': () => openCliLocal({ models, clock, random, programs }),
});

async function openCliLocal({ models, clock, random, programs }: RuntimesDeps): Promise<RuntimeAdapter> {
  const [{ createProgramRuntime }, { claudeProtocol }, { createClaudeAgent }] = await Promise.all([
    import('../../core/runtimes/program/program-runtime.ts'),
    import('../../core/runtimes/claude/claude-protocol.ts'),
    import('../harnesses/claude-agent.ts'),
  ]);
  const { agents, folders, disk, env, harness } = programs;
  const find = createHarnessFinder({ env, clock }, 'claude-code');
  const shared = { env, clock, disk, folders, models, programs: { ...harness, find } };
  return {
    open: ({ id, config, log }, turns) => {
      const agent = createClaudeAgent(shared, () => agents.get(id), config);
      const deps = { agentId: id, agent, turns, clock, random, log };
      const claude = createProgramRuntime(deps, claudeProtocol);
      return { ...claude, run: (turn, signal) => unlessUnsupported(config(), claude).run(turn, signal) };
    },
  };
}

/** A turn of a harness without an adapter fails with a sentence. */
function unlessUnsupported({ runtime }: AgentConfig, claude: RuntimePort): RuntimePort {
  const error = notYet(runtime);
  return error === null
    ? claude
    : {
        run: async function* () {
          yield failure(error, '', []);
        },
      };
}
