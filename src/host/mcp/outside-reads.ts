/**
 * Limits what an outside program reads while it works on a conversation with others (T9). After it has read a
 * room in which another person's message waits for an answer, it reads only rooms that all people of that room may
 * read, until that message is answered.
 */
import { mainRoom } from '../../contract/room-id.ts';
import type { AudiencePort } from '../../core/policy/audience-ports.ts';
import { roomOfSource, type Source } from '../../core/policy/source.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { RoomFilter } from '../../core/tools/tool.ts';

/** Rooms per agent, newest last. */
const mostRooms = 200;

/** A running agent. */
export interface OutsideReader {
  readonly store: Pick<AccountStore, 'openWork'>;
  readonly audience: AudiencePort;
}

export class OutsideReads {
  readonly #readerOf: (agentId: string) => OutsideReader | null;
  /** By agent; not persisted, because tokens and sessions of programs end with the host. */
  readonly #rooms = new Map<string, Set<string>>();

  /** `readerOf` returns `null` if the agent does not run. */
  constructor(readerOf: (agentId: string) => OutsideReader | null) {
    this.#readerOf = readerOf;
  }

  note(agentId: string, sources: readonly Source[]): void {
    const rooms = this.#rooms.get(agentId) ?? new Set<string>();
    for (const room of sources.flatMap((source) => roomOfSource(source) ?? [])) {
      rooms.delete(room);
      rooms.add(room);
    }
    this.#rooms.set(agentId, new Set([...rooms].slice(-mostRooms)));
  }

  /** Test for readable rooms, or `undefined` if the agent's own access is the only limit. */
  async filter(agentId: string): Promise<RoomFilter | undefined> {
    const reader = this.#readerOf(agentId);
    if (!reader) return undefined;
    const read = this.#rooms.get(agentId) ?? new Set<string>();
    // Reads are noted for a person, whichever conversation they are from.
    const open = new Set(reader.store.openWork().map(({ message }) => mainRoom(message.roomId)));
    const filters: RoomFilter[] = [];
    for (const roomId of open) {
      if (!read.has(roomId)) continue;
      const filter = await filterFor(reader.audience, roomId);
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
async function filterFor(audience: AudiencePort, roomId: string): Promise<RoomFilter | undefined> {
  // Loaded on demand to keep startup fast.
  const { TurnReads } = await import('../../core/runtimes/turn-sources.ts');
  const reads = new TurnReads({
    audience,
    threadKey: 'mcp',
    hasResults: false,
    place: { roomId, by: 'reply' },
    log: { of: () => ({ sources: [], tainted: true }), keep: () => undefined },
  });
  return reads.filter(true);
}
