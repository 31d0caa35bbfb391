import type { Clock } from '../../core/ports.ts';
import type { HostPorts } from '../host-ports.ts';
import type { AgentCommands, AgentKitDeps } from './agent-kit.ts';

export interface AgentCommandsDeps {
  readonly home: string;
  readonly env: HostPorts['env'];
  readonly clock: Clock;
  /** `limits.command_s` of daemon.yml. */
  commandSeconds(): number;
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
    return {
      process,
      sandbox,
      commandSeconds,
      limits: ({ timeout_s: timeoutS, max_output_chars: maxOutputChars }) =>
        bashSettings({ timeoutS: Math.min(timeoutS, commandSeconds()), maxOutputChars }, env),
    };
  };
}

export interface SharedToolsDeps extends Omit<AgentKitDeps, 'commands' | 'covered'> {
  readonly commands: () => Promise<AgentCommands>;
  readonly covered: () => Promise<AgentKitDeps['covered']>;
}

/** Creates the shared parts of all agents’ tools on first use. */
export function createSharedTools({
  commands,
  covered,
  ...deps
}: SharedToolsDeps): () => Promise<AgentKitDeps> {
  let found: Promise<AgentKitDeps> | null = null;
  const find = async (): Promise<AgentKitDeps> => ({
    ...deps,
    commands: await commands(),
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
