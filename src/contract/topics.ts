/** The feed's topics: each sends a snapshot of one of these states, then patches. */
import type { ApprovalsView } from './consent.ts';
import type { AgentSummary, HostView, RoomsView, RoomView } from './model.ts';
import type { LogsView, WorkView } from './work-methods.ts';

export interface TopicState {
  host: HostView;
  /** By agent id. */
  agents: Record<string, AgentSummary>;
  rooms: RoomsView;
  approvals: ApprovalsView;
  work: WorkView;
  logs: LogsView;
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
  /^room:.{1,200}$/.test(name);
