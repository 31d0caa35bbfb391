import { sleep } from '../../core/lib/sleep.ts';
import type { ConfinedFiles } from '../../core/tools/confined-files.ts';
import type { chooseTools as ChooseTools } from '../../core/tools/tool-set.ts';
import type { PuppyPort, PuppyRuns } from '../../core/workflows/puppy-port.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { HostContext } from '../context.ts';

/** An agent with an unsandboxed shell may start programs, so its workflows may too. */
function hasOpenShell(
  { agents }: Pick<HostContext, 'agents'>,
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

/** Created with the first call, because most agents never use it. */
export function lazyPuppy(context: HostContext, agentId: string, files: ConfinedFiles): PuppyPort {
  let made: Promise<PuppyRuns> | null = null;
  const make = async (): Promise<PuppyRuns> => {
    const [{ createAgentPuppy }, { chooseTools }] = await Promise.all([
      import('./agent-puppy.ts'),
      import('../../core/tools/tool-set.ts'),
    ]);
    return createAgentPuppy({
      agentId,
      files,
      mayRunPrograms: () => hasOpenShell(context, agentId, chooseTools),
      runs: () => context.workflows.runs(),
      begun: () => context.workflows.begun(),
      workflows: () => context.workflows.files(),
      wait: (ms, signal) => sleep(context.ports.clock, ms, signal),
    });
  };
  const puppy = (): Promise<PuppyRuns> => {
    made ??= make();
    return made;
  };
  return {
    look: async (wish, call) => (await puppy()).look(wish, call),
    run: async (wish, limits, call) => (await puppy()).run(wish, limits, call),
    ask: async (wish, call) => (await import('./agent-model.ts')).askForAgent(context, agentId, wish, call),
    state: async (run, maxStdoutBytes) => (await puppy()).state(run, maxStdoutBytes),
    cancel: async (run) => (await puppy()).cancel(run),
  };
}
