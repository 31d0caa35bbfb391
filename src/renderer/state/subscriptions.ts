/** The replica of the host's state: which topics there are and how components read them. */
import { createContext, useContext, useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ApprovalsView } from '../../contract/consent.ts';
import type { AgentSummary, HostView, RoomsView } from '../../contract/model.ts';
import type { LogsView, WorkView } from '../../contract/work-methods.ts';
import type { HostLink, LinkState } from '../client/link.ts';
import { keepEnded, type RoomReplica } from './ended-drafts.ts';
import { createTopic, perFrame, type Topic } from './topic-store.ts';

export interface Replica {
  readonly link: HostLink;
  readonly line: StoreApi<{ state: LinkState }>;
  readonly host: Topic<HostView>;
  readonly agents: Topic<Record<string, AgentSummary>>;
  readonly rooms: Topic<RoomsView>;
  readonly approvals: Topic<ApprovalsView>;
  /** These two are followed only while somebody looks. */
  readonly work: Topic<WorkView>;
  readonly logs: Topic<LogsView>;
  room(id: string): Topic<RoomReplica>;
}

/** Rooms left open in memory, so that going back shows the text at once. */
const keptRooms = 30;

export function createReplica(link: HostLink): Replica {
  const line = createStore<{ state: LinkState }>(() => ({ state: 'connecting' }));
  link.onState((state) => line.setState({ state }));
  const open = new Map<string, Topic<RoomReplica>>();
  const room = (id: string): Topic<RoomReplica> => {
    const topic = open.get(id) ?? createTopic<RoomReplica>(link, `room:${id}`, perFrame, keepEnded);
    open.delete(id);
    open.set(id, topic);
    for (const oldest of open.keys()) {
      if (open.size <= keptRooms) break;
      open.delete(oldest);
    }
    return topic;
  };
  return {
    link,
    line,
    host: createTopic(link, 'host', perFrame),
    agents: createTopic(link, 'agents', perFrame),
    rooms: createTopic(link, 'rooms', perFrame),
    approvals: createTopic(link, 'approvals', perFrame),
    work: createTopic(link, 'work', perFrame),
    logs: createTopic(link, 'logs', perFrame),
    room,
  };
}

export const ReplicaContext = createContext<Replica | null>(null);

export function useReplica(): Replica {
  const replica = useContext(ReplicaContext);
  if (replica === null) throw new Error('a component was drawn outside the replica');
  return replica;
}

/** Holds the standing subscriptions for as long as the page lives. */
export function useStandingTopics(replica: Replica): void {
  useEffect(() => {
    const leave = [replica.host.use(), replica.agents.use(), replica.rooms.use(), replica.approvals.use()];
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

/** The own agent behind a slug, if it is one of ours. */
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
