/** Replica of the host's state: its topics and the hooks that read them. */
import { createContext, useContext, useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ApprovalsView } from '../../contract/approvals.ts';
import type { AgentSummary, HostView, RoomsView } from '../../contract/model.ts';
import type { SchedulesView } from '../../contract/schedule-methods.ts';
import type { TasksView, TaskView } from '../../contract/task-methods.ts';
import type { TopicName } from '../../contract/topics.ts';
import type { UndoView } from '../../contract/undo-methods.ts';
import type { LogsView, WorkView } from '../../contract/work-methods.ts';
import type { RunsView, RunView } from '../../contract/workflow-methods.ts';
import type { HostLink, LinkState } from '../client/link.ts';
import { keepEnded, type RoomReplica } from './ended-drafts.ts';
import { createTopic, perFrame, type Topic, type Track } from './topic-store.ts';

export interface Replica {
  readonly link: HostLink;
  readonly line: StoreApi<{ state: LinkState }>;
  readonly host: Topic<HostView>;
  readonly agents: Topic<Record<string, AgentSummary>>;
  readonly rooms: Topic<RoomsView>;
  readonly approvals: Topic<ApprovalsView>;
  readonly tasks: Topic<TasksView>;
  /** Subscribed only while a component uses them. */
  readonly schedules: Topic<SchedulesView>;
  readonly runs: Topic<RunsView>;
  readonly work: Topic<WorkView>;
  readonly logs: Topic<LogsView>;
  readonly undo: Topic<UndoView>;
  room(id: string): Topic<RoomReplica>;
  task(number: number): Topic<TaskView>;
  run(id: string): Topic<RunView>;
}

/**
 * Limits of cached topics: rooms, and tasks or runs. A cached topic shows its content at once when reopened.
 */
const keptRooms = 30;
const keptWork = 8;

/** LRU cache of topics by name. */
function kept<T>(link: HostLink, most: number, track?: Track<T>): (name: TopicName) => Topic<T> {
  const open = new Map<string, Topic<T>>();
  return (name) => {
    const topic = open.get(name) ?? createTopic<T>(link, name, perFrame, track);
    open.delete(name);
    open.set(name, topic);
    for (const oldest of open.keys()) {
      if (open.size <= most) break;
      open.delete(oldest);
    }
    return topic;
  };
}

export function createReplica(link: HostLink): Replica {
  const line = createStore<{ state: LinkState }>(() => ({ state: 'connecting' }));
  link.onState((state) => line.setState({ state }));
  const rooms = kept<RoomReplica>(link, keptRooms, keepEnded);
  const tasks = kept<TaskView>(link, keptWork);
  const runs = kept<RunView>(link, keptWork);
  return {
    link,
    line,
    host: createTopic(link, 'host', perFrame),
    agents: createTopic(link, 'agents', perFrame),
    rooms: createTopic(link, 'rooms', perFrame),
    approvals: createTopic(link, 'approvals', perFrame),
    tasks: createTopic(link, 'tasks', perFrame),
    schedules: createTopic(link, 'schedules', perFrame),
    runs: createTopic(link, 'runs', perFrame),
    work: createTopic(link, 'work', perFrame),
    logs: createTopic(link, 'logs', perFrame),
    undo: createTopic(link, 'undo', perFrame),
    room: (id) => rooms(`room:${id}`),
    task: (number) => tasks(`task:${number}`),
    run: (id) => runs(`run:${id}`),
  };
}

export const ReplicaContext = createContext<Replica | null>(null);

export function useReplica(): Replica {
  const replica = useContext(ReplicaContext);
  if (replica === null) throw new Error('a component was drawn outside the replica');
  return replica;
}

/** Keeps the permanent subscriptions while the page is mounted. */
export function useStandingTopics(replica: Replica): void {
  useEffect(() => {
    const { host, agents, rooms, approvals, tasks } = replica;
    const leave = [host, agents, rooms, approvals, tasks].map((topic) => topic.use());
    return () => {
      for (const done of leave) done();
    };
  }, [replica]);
}

export const useLine = (): LinkState => useStore(useReplica().line, (line) => line.state);

export const useHost = <T>(pick: (host: HostView | null) => T): T =>
  useStore(useReplica().host.store, (value) => pick(value.state));

export const useAgents = <T>(pick: (agents: Record<string, AgentSummary> | null) => T): T =>
  useStore(useReplica().agents.store, (value) => pick(value.state));

export const useAgent = (id: string): AgentSummary | null => useAgents((agents) => agents?.[id] ?? null);

export const useAgentBySlug = (slug: string | null): AgentSummary | null =>
  useAgents((agents) => Object.values(agents ?? {}).find((agent) => agent.slug === slug) ?? null);

export const useRooms = <T>(pick: (rooms: RoomsView | null) => T): T =>
  useStore(useReplica().rooms.store, (value) => pick(value.state));

export function useRoomTopic(id: string): Topic<RoomReplica> {
  const topic = useReplica().room(id);
  useEffect(() => topic.use(), [topic]);
  return topic;
}

export function useRoomView<T>(id: string, pick: (room: RoomReplica | null) => T): T {
  return useStore(useReplica().room(id).store, (value) => pick(value.state));
}
