/**
 * Counts, per room, how many messages agents have exchanged since a person last wrote: what the brake in the triggers
 * reads (T27). Kept in memory, seeded once per room from the store; forgets the rooms that were quiet longest.
 */
import type { StoredMessage } from '../ports.ts';

const roomsKept = 64;

export interface AgentRunCounter {
  /** Call once per new message, in order; returns the run's length with this message in it, 0 for a person. */
  observe(message: Pick<StoredMessage, 'roomId' | 'senderSlug'>): number;
}

export interface AgentRunDeps {
  readonly isAgent: (slug: string) => boolean;
  /** The last messages of a room, oldest first; asked once per room. */
  readonly recent: (roomId: string) => readonly Pick<StoredMessage, 'senderSlug'>[];
}

export function createAgentRunCounter(deps: AgentRunDeps): AgentRunCounter {
  const runs = new Map<string, number>();
  const seed = (roomId: string): number => {
    let run = 0;
    for (const message of deps.recent(roomId)) run = deps.isAgent(message.senderSlug) ? run + 1 : 0;
    return run;
  };
  return {
    observe(message) {
      const agent = deps.isAgent(message.senderSlug);
      const run = agent ? (runs.get(message.roomId) ?? seed(message.roomId)) + 1 : 0;
      runs.delete(message.roomId);
      runs.set(message.roomId, run);
      const oldest = runs.size > roomsKept ? runs.keys().next().value : undefined;
      if (oldest !== undefined) runs.delete(oldest);
      return run;
    },
  };
}
