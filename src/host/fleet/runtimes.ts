import type { Clock, DiskPort, Random } from '../../core/ports.ts';
import type { RuntimeRegistry } from '../../core/runtimes/runtime-adapter.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { HarnessAccess } from '../harnesses/program-agent.ts';
import type { HostPorts } from '../host-ports.ts';
import type { AgentFolders } from './agent-folders.ts';
import type { ModelAccess } from './model-access.ts';

export interface RuntimesDeps {
  readonly models: Pick<ModelAccess, 'choose' | 'chooseFresh' | 'model' | 'facts' | 'gate'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly programs: AgentProgramDeps;
}

/** For runtimes that start a program. */
export interface AgentProgramDeps {
  readonly agents: Pick<AgentStore, 'get' | 'onChange'>;
  readonly folders: Pick<AgentFolders, 'ready' | 'syncSkills'>;
  readonly disk: DiskPort;
  readonly env: HostPorts['env'];
  readonly harness: HarnessAccess;
}

/** The adapters of the runnable kinds (`contract/runtime-kinds.ts`). */
export function createRuntimes({ models, clock, random, programs }: RuntimesDeps): RuntimeRegistry {
  const program = (place: 'host' | 'container') => async () => {
    const { createCliRuntime } = await import('../harnesses/cli-local.ts');
    return createCliRuntime({ ...programs, models, clock, random, place });
  };
  return {
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
    'sdk-local': program('host'),
    'cli-local': program('host'),
    'cli-docker': program('container'),
  };
}
