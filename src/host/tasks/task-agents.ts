import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { TaskLane } from '../../contract/task-methods.ts';
import type { AudiencePort, ReadLog } from '../../core/policy/audience-ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { TaskRuntimeOf } from '../../core/runtimes/runtime-adapter.ts';
import type { TurnContext } from '../../core/supervisor/worker-ports.ts';
import type { TeamChat } from '../../core/tools/chat-files.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { nameOfAgent } from '../agents/agent-view.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { LiveAgent } from '../agents/live-agent.ts';

/** Capabilities of a running agent for its tasks. */
export interface TaskCapabilities {
  messaging(): Promise<Pick<TeamChat, 'send'>>;
  readonly taskRuntime: TaskRuntimeOf;
  /** `roomId` is the room that reads about the task, or `null`. */
  context(roomId: string | null): Promise<TurnContext>;
  readonly audience: AudiencePort;
  readonly reads: ReadLog;
}

/** The state of a supervised agent. */
export interface TaskRunner {
  readonly id: string;
  readonly slug: string;
  readonly store: Pick<AccountStore, 'message'> | null;
  /** `null` while it does not run. */
  readonly capabilities: TaskCapabilities | null;
}

export interface TaskAgentsDeps {
  readonly agents: AgentStore;
  readonly fleet: {
    post(id: string): TaskRunner | null;
    live(agent: LoadedAgent): Pick<LiveAgent, 'life'>;
    taskChanged(id: string): void;
  };
}

/** The agents as tasks see them. */
export interface TaskAgents {
  ids(): readonly string[];
  exists(id: string): boolean;
  /** Finds an agent by id, slug or display name. */
  find(wanted: string): Result<string>;
  /** The display name; the id of an unknown agent, empty for `null`. */
  name(id: string | null): string;
  life(id: string): TaskLane['life'];
  /** Whether it can take tasks now. */
  isRunning(id: string): boolean;
  /** `null` if it is not supervised, for example while it is paused. */
  runner(id: string): TaskRunner | null;
  /** Call it when the agent starts or ends a task. */
  taskChanged(id: string): void;
}

export function createTaskAgents({ agents, fleet }: TaskAgentsDeps): TaskAgents {
  const life = (id: string): TaskLane['life'] => {
    const agent = agents.get(id);
    return agent === null ? 'gone' : fleet.live(agent).life;
  };
  return {
    ids: () => agents.list().map(({ id }) => id),
    exists: (id) => agents.get(id) !== null,
    find: (wanted) => findByAnyName(agents, wanted),
    name(id) {
      const agent = id === null ? null : agents.get(id);
      return agent ? nameOfAgent(agent) : (id ?? '');
    },
    life,
    isRunning: (id) => life(id) === 'running' && fleet.post(id)?.capabilities != null,
    runner: (id) => fleet.post(id),
    taskChanged: (id) => fleet.taskChanged(id),
  };
}

function findByAnyName(agents: AgentStore, wanted: string): Result<string> {
  const found = findAgent(agents, wanted);
  if (found.ok) return ok(found.value.id);
  const same = (name: string | undefined): boolean => name?.toLowerCase() === wanted.toLowerCase();
  const named = agents.list().filter(({ lastGood }) => same(lastGood?.display_name));
  const [only] = named;
  if (named.length > 1) {
    return err(
      fail(
        'invalid_input',
        'tasks.severalAgents',
        { name: wanted, names: named.map(({ id }) => id).join(', ') },
        { help: 'models.useOneOf' },
      ),
    );
  }
  return only ? ok(only.id) : found;
}
