/**
 * Stops agents that answer each other without end (T27). It counts, per thread, agent messages since the last
 * message of a person, and per pair those of one agent to this one. Beyond the limit the thread pauses until
 * a person writes there or allows another round. Counts are seeded from the store, so a restart loosens
 * nothing; the caller persists `allowed`.
 */

import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { StoredMessage } from '../puffo/stored-message.ts';

type Seen = Pick<StoredMessage, 'senderSlug'>;

export interface BrakeDeps {
  readonly isAgent: (slug: string) => boolean;
  /** Latest messages of a thread, oldest first, without the observed one; called once per thread. */
  readonly recent: (thread: BrakeThread) => readonly Seen[];
  /** Most consecutive agent turns in a thread, read each time. */
  readonly limit: () => number;
  /** Extra turns that a person has granted this thread since the last message of a person. */
  readonly allowed: (thread: BrakeThread) => number;
}

export interface BrakeThread {
  readonly roomId: string;
  readonly rootId: string;
}

export interface BrakeCount {
  /** Consecutive agent messages in this thread, this one included; 0 for a person's message. */
  readonly run: number;
  /** Those by this message's sender. */
  readonly pair: number;
  readonly braked: boolean;
}

export interface AgentBrake {
  /** Call once per new message, in order. */
  observe(message: Seen & BrakeThread): BrakeCount;
  /** Current counts of a thread, without a new message. */
  standing(thread: BrakeThread): BrakeCount;
}

interface Run {
  total: number;
  readonly bySender: Map<string, number>;
}

const threadsKept = 256;
const noRun: BrakeCount = { run: 0, pair: 0, braked: false };

export function createBrake(deps: BrakeDeps): AgentBrake {
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
  /** LRU: each use moves the thread to the end, and the oldest is evicted. */
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

/** Text for the thread's notice and the audit log. */
export const brakeWords = ({ run }: Pick<BrakeCount, 'run'>): HostText =>
  say('agents.pausedAfter', { n: run });
