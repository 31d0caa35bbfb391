import type { DiskPort } from '../core/ports.ts';
import type { AgentStore } from '../services/agent-store/agent-types.ts';
import type { DaemonSettings } from '../services/config/daemon-settings.ts';
import { configInForce, nameOfAgent } from './agents/agent-view.ts';
import type { Approvals } from './approvals/approvals.ts';
import type { ChatSelf } from './chat/self.ts';
import type { AgentFolders } from './fleet/agent-folders.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { HostPorts } from './host-ports.ts';
import type { Layout } from './layout.ts';
import type { Problems } from './problems.ts';
import type { WatchStore } from './stores/store-watch.ts';
import { createTaskAgents, type TaskAgents } from './tasks/task-agents.ts';
import { createTaskOpener, type TaskOpenerDeps } from './tasks/task-opener.ts';
import { createTaskRooms, type TaskRooms } from './tasks/task-rooms.ts';
import { createTasks, type Tasks } from './tasks/tasks.ts';
import { createTaskStoreFile } from './tasks/tasks-file.ts';
import type { WorktreeAgent } from './worktrees/task-worktrees.ts';

/** Everything that the units of tasks use, each a part of it. */
export interface TaskWiring {
  readonly ports: Pick<HostPorts, 'clock' | 'log' | 'random' | 'mode'>;
  readonly layout: Layout;
  readonly disk: DiskPort;
  readonly problems: Problems;
  readonly settings: DaemonSettings;
  readonly agents: AgentStore;
  readonly fleet: Fleet;
  readonly watchStore: WatchStore;
  readonly approvals: Approvals;
  readonly workflows: TaskOpenerDeps['workflows'];
  /** `null` without an operator. */
  readonly self: () => ChatSelf | null;
  readonly folders: Pick<AgentFolders, 'roots'>;
}

export interface TaskParts {
  readonly tasks: Tasks;
  readonly taskAgents: TaskAgents;
  readonly taskRooms: TaskRooms;
}

/** Part of the composition root: tasks, their store, and the agents that work on them. */
export function buildTasks(wiring: TaskWiring): TaskParts {
  const { ports, layout, disk, problems, settings, agents, fleet, watchStore } = wiring;
  const { clock, log } = ports;
  const taskAgents = createTaskAgents({ agents, fleet });
  const taskRooms = createTaskRooms({ agents: taskAgents, self: wiring.self });
  const worktreeAgent = (id: string): WorktreeAgent | null => {
    const agent = agents.get(id);
    if (!agent) return null;
    const config = configInForce(agent);
    return {
      name: nameOfAgent(agent),
      workspace: wiring.folders.roots(agent, config).cwd,
      isOn: config.tasks.worktree,
    };
  };
  const opener = createTaskOpener({
    agents: taskAgents,
    approvals: wiring.approvals,
    file: createTaskStoreFile({ clock, disk, log, path: layout.taskStore, watchStore }),
    ports,
    settings,
    workflows: wiring.workflows,
    worktreeAgent,
  });
  const tasks = createTasks({ agents: taskAgents, opener, ports, problems, rooms: taskRooms, settings });
  return { tasks, taskAgents, taskRooms };
}
