/**
 * Stops agents that answer agents without end (T27). Counts, per thread, the messages of agents since a person last
 * wrote in it, and per pair how many of them came from one agent to this one; past the limit the thread stands still
 * until a person writes there or lets it go on for another round. Counts are seeded from the store, so a restart
 * loosens nothing; what was let go on is remembered by whoever persists `allowed`.
 */
import type { StoredMessage } from '../ports.ts';

type Seen = Pick<StoredMessage, 'senderSlug'>;

export interface BrakeDeps {
  readonly isAgent: (slug: string) => boolean;
  /** The last messages of a thread, oldest first, without the one being observed; asked once per thread. */
  readonly recent: (thread: BrakeThread) => readonly Seen[];
  /** Turns of agents in a row that a thread may have, asked each time. */
  readonly limit: () => number;
  /** Further turns that a person has granted this thread since one last wrote there. */
  readonly allowed: (thread: BrakeThread) => number;
}

export interface BrakeThread {
  readonly roomId: string;
  readonly rootId: string;
}

export interface BrakeCount {
  /** Messages of agents in a row in this thread, this one included; 0 for a person's. */
  readonly run: number;
  /** Of those the ones by this message's sender. */
  readonly pair: number;
  readonly braked: boolean;
}

export interface Brake {
  /** Once per new message, in order. */
  observe(message: Seen & BrakeThread): BrakeCount;
  /** How a thread stands now, without a new message. */
  standing(thread: BrakeThread): BrakeCount;
}

interface Run {
  total: number;
  readonly bySender: Map<string, number>;
}

const threadsKept = 256;
const noRun: BrakeCount = { run: 0, pair: 0, braked: false };

export function createBrake(deps: BrakeDeps): Brake {
  const runs = new Map<string, Run>();

  const count = (run: Run, sender: string): void => {
    run.total += 1;
    run.bySender.set(sender, (run.bySender.get(sender) ?? 0) + 1);
  };
  const seed = (thread: BrakeThread): Run => {
    const run: Run = { total: 0, bySender: new Map() };
    for (const { senderSlug } of deps.recent(thread)) {
      if (deps.isAgent(senderSlug)) count(run, senderSlug);
      else {
        run.total = 0;
        run.bySender.clear();
      }
    }
    return run;
  };
  /** Moved to the end at each use; the thread that was quiet longest is forgotten. */
  const runOf = (thread: BrakeThread): Run => {
    const key = `${thread.roomId}\n${thread.rootId}`;
    const run = runs.get(key) ?? seed(thread);
    runs.delete(key);
    runs.set(key, run);
    const oldest = runs.size > threadsKept ? runs.keys().next().value : undefined;
    if (oldest !== undefined) runs.delete(oldest);
    return run;
  };
  const verdict = (run: Run, pair: number, thread: BrakeThread): BrakeCount => {
    const limit = deps.limit() + deps.allowed(thread);
    return { run: run.total, pair, braked: run.total > limit || pair > limit };
  };

  return {
    observe(message) {
      const run = runOf(message);
      if (!deps.isAgent(message.senderSlug)) {
        run.total = 0;
        run.bySender.clear();
        return noRun;
      }
      count(run, message.senderSlug);
      return verdict(run, run.bySender.get(message.senderSlug) ?? 0, message);
    },
    standing(thread) {
      const run = runOf(thread);
      return verdict(run, Math.max(0, ...run.bySender.values()), thread);
    },
  };
}

/** Said in the thread's notice and in the audit. */
export const brakeWords = ({ run }: Pick<BrakeCount, 'run'>): string =>
  `${run} messages in a row here are from agents. The thread stands still until a person writes in it or lets it go on.`;
