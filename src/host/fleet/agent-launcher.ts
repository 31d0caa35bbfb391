import { setImmediate as breathe } from 'node:timers/promises';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { createSemaphore } from '../../core/lib/semaphore.ts';
import type { AgentLauncher } from '../../core/supervisor/supervisor-ports.ts';
import type { OpenParts } from '../identity/operator.ts';
import type { AgentStates } from './agent-states.ts';
import type { LaunchAgent } from './launch-agent.ts';

export interface FleetLauncherDeps {
  /** Loaded with the first agent, to keep startup fast without one. */
  readonly load: () => Promise<LaunchAgent>;
  readonly states: Pick<AgentStates, 'eventsOf'>;
}

/** Starts agents once the vault is open. */
export interface FleetLauncher extends AgentLauncher<AgentConfig> {
  /** Provides the identities; called again for every new set of connections. */
  begin(parts: OpenParts): void;
  hasBegun(): boolean;
}

export function createFleetLauncher({ load, states }: FleetLauncherDeps): FleetLauncher {
  let parts: OpenParts | null = null;
  const oneAtATime = createSemaphore(1);
  return {
    begin(opened) {
      parts = opened;
    },
    hasBegun: () => parts !== null,
    async launch(agent, hooks) {
      if (!parts) throw new Error('an agent starts before the vault is open');
      const opened = parts;
      const launch = await load();
      // A thousand starts in one turn of the event loop would block it for many seconds (F21).
      await oneAtATime(() => breathe());
      return launch(opened, agent, states.eventsOf(agent.id, agent.config), hooks);
    },
  };
}
