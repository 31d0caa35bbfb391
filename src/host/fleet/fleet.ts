import { fail } from '../../contract/fail.ts';
import { err, type Result } from '../../contract/result.ts';
import { type AgentConfig, isConfigured } from '../../core/agents/agent-config.ts';
import type { DesiredAgent } from '../../core/supervisor/reconcile.ts';
import type { Supervisor } from '../../core/supervisor/supervisor-ports.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { OpenParts } from '../identity/operator.ts';
import type { AgentKitDeps } from './agent-kit.ts';
import type { FleetLauncher } from './agent-launcher.ts';
import type { AgentRequests } from './agent-requests.ts';
import type { AgentStates } from './agent-states.ts';

/** Work left after the agent's files are gone. */
interface Departure {
  finish(): Promise<void>;
  /** The agent was not archived or deleted after all. */
  cancel(): void;
}

export interface FleetDeps {
  readonly agents: Pick<AgentStore, 'get' | 'list'>;
  readonly launcher: Pick<FleetLauncher, 'begin' | 'hasBegun'>;
  readonly supervisor: Supervisor<AgentConfig>;
  readonly states: AgentStates;
  readonly requests: AgentRequests;
  /** Ends the agent at its server before it is archived or deleted; `null` if that failed. */
  retire(id: string, account: Account | null): Promise<Departure | null>;
}

type RunningAgents = Pick<
  AgentStates,
  | 'post'
  | 'account'
  | 'live'
  | 'brakes'
  | 'goOn'
  | 'answerAgain'
  | 'stopTurn'
  | 'acceptKeyChange'
  | 'modelChanged'
  | 'taskChanged'
>;

/** The agents of this host: which ones should run, which ones run, and their state. */
export interface Fleet extends AgentLifecycle {
  /** Shared by the tools of all agents; loaded with the first tool. */
  sharedTools(): Promise<AgentKitDeps>;
}

export interface AgentLifecycle extends RunningAgents {
  /** Starts the agents once the vault is open. */
  begin(parts: OpenParts): void;
  /** Starts and stops agents to match the files. */
  apply(): void;
  /** Like `withdraw`, and ends the agent at its server too. */
  retire<T>(id: string, work: () => Result<T>): Promise<Result<T>>;
  /** Whether the agent must not run because its folder is about to move. */
  isLeaving(id: string): boolean;
  /** Stops the agent, then runs work that needs its files at rest. */
  withdraw<T>(id: string, work: () => Result<T>): Promise<Result<T>>;
  /** Waits until the agent is neither starting nor stopping and, if it runs, connected. */
  calm(id: string, ms: number): Promise<void>;
  restart(id: string): boolean;
  /** Resolves when no agent is starting or stopping. */
  settled(): Promise<void>;
  stop(graceMs: number): Promise<void>;
}

const withdrawMs = 10_000;

export function createAgentLifecycle({
  agents,
  launcher,
  supervisor,
  states,
  requests,
  ...deps
}: FleetDeps): AgentLifecycle {
  const leaving = new Set<string>();

  const apply = (): void => {
    if (!launcher.hasBegun()) return;
    const all = agents.list();
    for (const agent of all) void requests.honour(agent);
    supervisor.apply(all.filter((agent) => !leaving.has(agent.id)).flatMap(desire));
  };
  const withdraw = async <T>(id: string, work: () => Result<T>): Promise<Result<T>> => {
    leaving.add(id);
    apply();
    try {
      await states.until(() => supervisor.lifeOf(id) === null, withdrawMs);
      states.settle(id);
      return work();
    } finally {
      leaving.delete(id);
      apply();
    }
  };

  return {
    ...states,
    begin(parts) {
      launcher.begin(parts);
      apply();
    },
    apply,
    withdraw,
    isLeaving: (id) => leaving.has(id),
    async retire(id, work) {
      if (leaving.has(id)) return err(fail('conflict', 'agents.agentBeingRemoved', { id }));
      leaving.add(id);
      const departure = await deps.retire(id, states.account(id));
      const done = await withdraw(id, work);
      // A folder that was moved away but not removed is gone for the host.
      if (done.ok || agents.get(id) === null) await departure?.finish();
      else departure?.cancel();
      return done;
    },
    async calm(id, ms) {
      if (!launcher.hasBegun()) return;
      await states.until(() => {
        const life = states.lifeOf(id)?.life;
        if (life === 'running') return states.post(id)?.connection !== 'connecting';
        return life !== 'starting' && life !== 'stopping';
      }, ms);
    },
    restart: (id) => supervisor.restart(id),
    settled: () => supervisor.settled(),
    async stop(graceMs) {
      await supervisor.stopAll(graceMs);
      states.stop();
    },
  };
}

/** An agent to be archived or deleted should not run; one without a readable configuration stays as it is. */
function desire(agent: LoadedAgent): DesiredAgent<AgentConfig>[] {
  const leaving = agent.requests.includes('archive') || agent.requests.includes('delete');
  if (leaving || !agent.lastGood) return [];
  const config = configInForce(agent);
  const wish = config.state === 'paused' ? 'pause' : isConfigured(config) ? 'run' : 'idle_unconfigured';
  const restartKey = JSON.stringify([config.puffo_core, config.runtime.kind]);
  return [{ id: agent.id, wish, restartKey, config }];
}
