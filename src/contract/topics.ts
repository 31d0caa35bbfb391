/** The feed's topics: each sends a snapshot of one of these states, then patches. */
import type { ApprovalsView } from './consent.ts';
import type { AgentSummary, HostView, RoomsView, RoomView } from './model.ts';

export interface TopicState {
  host: HostView;
  /** By agent id. */
  agents: Record<string, AgentSummary>;
  rooms: RoomsView;
  approvals: ApprovalsView;
  [room: `room:${string}`]: RoomView;
}
export type TopicName = keyof TopicState & string;

export const isTopicName = (name: string): name is TopicName =>
  name === 'host' ||
  name === 'agents' ||
  name === 'rooms' ||
  name === 'approvals' ||
  /^room:.{1,200}$/.test(name);
