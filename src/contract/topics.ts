/** The feed's topics: each sends a snapshot of its state, then patches. */
import type { ApprovalsView } from './approvals.ts';
import type { AgentSummary, HostView, RoomsView, RoomView } from './model.ts';
import type { SchedulesView } from './schedule-methods.ts';
import type { TasksView, TaskView } from './task-methods.ts';
import type { UndoView } from './undo-methods.ts';
import type { LogsView, WorkView } from './work-methods.ts';
import type { RunsView, RunView } from './workflow-methods.ts';

export interface TopicState {
  host: HostView;
  agents: Record<string, AgentSummary>;
  rooms: RoomsView;
  approvals: ApprovalsView;
  work: WorkView;
  logs: LogsView;
  tasks: TasksView;
  schedules: SchedulesView;
  runs: RunsView;
  undo: UndoView;
  [task: `task:${number}`]: TaskView;
  [run: `run:${string}`]: RunView;
  [room: `room:${string}`]: RoomView;
}
export type TopicName = keyof TopicState & string;

export const isTopicName = (name: string): name is TopicName =>
  name === 'host' ||
  name === 'agents' ||
  name === 'rooms' ||
  name === 'approvals' ||
  name === 'work' ||
  name === 'logs' ||
  name === 'tasks' ||
  name === 'schedules' ||
  name === 'runs' ||
  name === 'undo' ||
  /^task:[1-9]\d{0,14}$/.test(name) ||
  /^run:.{1,100}$/.test(name) ||
  /^room:.{1,200}$/.test(name);
