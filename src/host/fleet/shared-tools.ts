import type { Clock, DiskPort } from '../../core/ports.ts';
import type { CodeEngine } from '../../core/ptc/code-ports.ts';
import type { HostPorts } from '../host-ports.ts';
import type { AgentFolders } from './agent-folders.ts';
import type { AgentCommands, AgentKitDeps, FeatureTools } from './agent-kit.ts';

export interface AgentCommandsDeps {
  readonly home: string;
  readonly env: HostPorts['env'];
  readonly clock: Clock;
  /** `limits.command_s` of daemon.yml. */
  commandSeconds(): number;
}

function lazyCodeEngine(clock: Clock): () => Promise<CodeEngine> {
  let engine: CodeEngine | null = null;
  return async () => {
    const { createQuickJsEngine } = await import('../../services/code/quickjs-engine.ts');
    engine ??= createQuickJsEngine(clock);
    return engine;
  };
}

/** Programs that agents start; loaded on first use. */
export function lazyAgentCommands({
  home,
  env,
  clock,
  commandSeconds,
}: AgentCommandsDeps): () => Promise<AgentCommands> {
  return async () => {
    const [{ createProcessPort }, { findBubblewrap }, { bashSettings }] = await Promise.all([
      import('../../services/executors/process.ts'),
      import('../../services/executors/bubblewrap.ts'),
      import('../../services/tools/restricted-commands/bash-limits.ts'),
    ]);
    const process = createProcessPort({ clock });
    const sandbox = await findBubblewrap({ process, hidden: [home] });
    const codeEngine = lazyCodeEngine(clock);
    const { createToolBroker } = await import('../../services/code/tool-broker.ts');
    return {
      broker: createToolBroker(),
      codeEngine,
      process,
      sandbox,
      commandSeconds,
      limits: ({ timeout_s: timeoutS, max_output_chars: maxOutputChars }) =>
        bashSettings({ timeoutS: Math.min(timeoutS, commandSeconds()), maxOutputChars }, env),
    };
  };
}

export interface SharedToolsDeps {
  readonly folders: AgentFolders;
  readonly disk: DiskPort;
  readonly clock: Clock;
  readonly commands: () => Promise<AgentCommands>;
  readonly features: () => Promise<FeatureTools>;
  readonly covered: () => Promise<AgentKitDeps['covered']>;
}

/** Creates the shared parts of all agents’ tools on first use. */
export function createSharedTools({
  commands,
  features,
  covered,
  ...shared
}: SharedToolsDeps): () => Promise<AgentKitDeps> {
  let found: Promise<AgentKitDeps> | null = null;
  const find = async (): Promise<AgentKitDeps> => ({
    ...shared,
    commands: await commands(),
    features: await features(),
    covered: await covered(),
  });
  return () => {
    found ??= find();
    found.catch(() => {
      found = null;
    });
    return found;
  };
}
