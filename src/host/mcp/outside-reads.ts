/**
 * Limits what an outside program reads while it works on a conversation with others (T9). After it has read a
 * room in which another person's message waits for an answer, it reads only rooms that everybody there may
 * read, until that message is answered.
 */
import { roomOfSource, type Source } from '../../core/policy/source.ts';
import type { RoomFilter } from '../../core/tools/tool.ts';
import { TurnReads } from '../../services/runtimes/turn-reads.ts';
import type { AgentPost } from '../fleet/agent-post.ts';

/** Rooms per agent, newest last. */
const mostRooms = 200;

export class OutsideReads {
  /** By agent; not persisted, because tokens and sessions of programs end with the host. */
  readonly #rooms = new Map<string, Set<string>>();

  note(agentId: string, sources: readonly Source[]): void {
    const rooms = this.#rooms.get(agentId) ?? new Set<string>();
    for (const room of sources.flatMap((source) => roomOfSource(source) ?? [])) {
      rooms.delete(room);
      rooms.add(room);
    }
    this.#rooms.set(agentId, new Set([...rooms].slice(-mostRooms)));
  }

  /** Test for readable rooms, or `undefined` if the agent's own access is the only limit. */
  async filter(agentId: string, post: AgentPost | null): Promise<RoomFilter | undefined> {
    const { hands, store } = post ?? {};
    if (!hands || !store) return undefined;
    const read = this.#rooms.get(agentId) ?? new Set<string>();
    const open = new Set(store.openWork().map(({ message }) => message.roomId));
    const filters: RoomFilter[] = [];
    for (const roomId of open) {
      if (!read.has(roomId)) continue;
      const filter = await readsOf(hands.audience, roomId).filter(true);
      if (filter) filters.push(filter);
    }
    if (filters.length === 0) return undefined;
    return async (roomId) => {
      for (const mayRead of filters) if (!(await mayRead(roomId))) return false;
      return true;
    };
  }
}

/** Like a turn that answers there, without saving its reads. */
const readsOf = (audience: NonNullable<AgentPost['hands']>['audience'], roomId: string): TurnReads =>
  new TurnReads({
    audience,
    threadKey: 'mcp',
    hasResults: false,
    place: { roomId, by: 'reply' },
    log: { of: () => ({ sources: [], tainted: true }), keep: () => undefined },
  });
