import { sleep } from '../../core/lib/sleep.ts';
import type { Clock } from '../../core/ports.ts';
import type { ConfinedFiles } from '../../core/tools/confined-files.ts';
import type { chooseTools as ChooseTools } from '../../core/tools/tool-set.ts';
import type { PuppyPort, PuppyRuns } from '../../core/workflows/puppy-port.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { AskModelFor } from './ask-model.ts';
import type { WorkflowFiles } from './workflow-files.ts';
import type { Workflows } from './workflows.ts';

/** An agent with an unsandboxed shell may start programs, so its workflows may too. */
function hasOpenShell(
  agents: Pick<AgentStore, 'get'>,
  agentId: string,
  chooseTools: typeof ChooseTools,
): boolean {
  const agent = agents.get(agentId);
  if (!agent) return false;
  const { tools, runtime, shell } = configInForce(agent);
  const names = { ...tools, allowedTools: runtime.allowed_tools };
  const { offers } = chooseTools([{ name: 'shell', group: 'shell', core: false }], names);
  return shell.unsandboxed && offers.some(({ offered }) => offered);
}

export interface AgentPuppiesDeps {
  readonly agents: Pick<AgentStore, 'get'>;
  readonly workflows: Pick<Workflows, 'runs' | 'begun'>;
  readonly files: () => Promise<WorkflowFiles>;
  readonly clock: Clock;
  readonly askModel: AskModelFor;
}

/** Workflows for the tools of one agent; `files` is confined to its roots. */
export type AgentPuppies = (agentId: string, files: ConfinedFiles) => PuppyPort;

/** Created with the first call, because most agents never use it. */
export const createAgentPuppies =
  (deps: AgentPuppiesDeps): AgentPuppies =>
  (agentId, files) => {
    const { agents, workflows, clock, askModel } = deps;
    let made: Promise<PuppyRuns> | null = null;
    const make = async (): Promise<PuppyRuns> => {
      const [{ createAgentPuppy }, { chooseTools }] = await Promise.all([
        import('./agent-puppy.ts'),
        import('../../core/tools/tool-set.ts'),
      ]);
      return createAgentPuppy({
        agentId,
        files,
        mayRunPrograms: () => hasOpenShell(agents, agentId, chooseTools),
        workflows,
        workflowFiles: deps.files,
        wait: (ms, signal) => sleep(clock, ms, signal),
      });
    };
    const puppy = (): Promise<PuppyRuns> => {
      made ??= make();
      return made;
    };
    return {
      look: async (wish, call) => (await puppy()).look(wish, call),
      run: async (wish, limits, call) => (await puppy()).run(wish, limits, call),
      ask: async (wish, call) =>
        (await import('./agent-model.ts')).askForAgent(askModel, agentId, wish, call),
      state: async (run, maxStdoutBytes) => (await puppy()).state(run, maxStdoutBytes),
      cancel: async (run) => (await puppy()).cancel(run),
    };
  };
