/**
 * Whose task is next. The highest priority goes first; among lanes of the same, the one that was served longest ago, so
 * that no agent with a long list keeps others waiting; within a lane, first come first served. The store asks the same
 * question of its indexes, and is tested against this.
 */
import type { TaskBody } from './task.ts';

/** The tasks of one agent, those it has begun among them; of `anyAgent`, those that any agent may still take. */
export interface Lane {
  readonly agent: string;
  /** How many of its tasks may be worked on at once; 0: none, e.g. while the agent is paused. */
  readonly concurrency: number;
  readonly running: number;
  /** Pending tasks that are due. */
  readonly ready: number;
  /** Of the task at its head; null where nothing is ready. */
  readonly priority: number | null;
  readonly head: number | null;
  /** Counts up with every claim; 0: never served. */
  readonly served: number;
}

export const anyAgent = '';

/** Once begun, a task that any agent might take stays with the one that has it: only that one knows what it was answered. */
export const laneOf = ({ agent, runner }: Pick<TaskBody, 'agent' | 'runner'>): string =>
  agent ?? runner ?? anyAgent;

export const defaultConcurrency = 1;

export interface NextClaim {
  readonly task: number;
  readonly lane: string;
  readonly runner: string;
}

const free = ({ agent, running, concurrency }: Lane): boolean => agent !== anyAgent && running < concurrency;

/** Null: nothing is ready, or everybody who might take it is busy. */
export function chooseNext(lanes: readonly Lane[]): NextClaim | null {
  const idle = lanes.filter(free).sort((a, b) => a.served - b.served || (a.agent < b.agent ? -1 : 1));
  const willing = lanes.filter((lane) => lane.ready > 0 && (lane.agent === anyAgent ? idle[0] : free(lane)));
  const [first] = willing.sort(
    (a, b) =>
      Number(b.priority) - Number(a.priority) || a.served - b.served || Number(a.head) - Number(b.head),
  );
  const runner = first?.agent === anyAgent ? idle[0]?.agent : first?.agent;
  if (!first || first.head === null || runner === undefined) return null;
  return { task: first.head, lane: first.agent, runner };
}

/** What waits, and for what. */
export interface QueuePressure {
  readonly running: number;
  readonly ready: number;
  /** Of `ready`: wait for a worker. */
  readonly forWorker: number;
  /** Of `ready`: wait for their agent, which is busy or paused. */
  readonly forAgent: number;
  /** Agents that could begin one more. */
  readonly freeAgents: number;
  /** Workers with nothing to do. */
  readonly idleWorkers: number;
}

export function pressureOf(lanes: readonly Lane[], workers: number): QueuePressure {
  const sum = (of: (lane: Lane) => number): number => lanes.reduce((total, lane) => total + of(lane), 0);
  const running = sum((lane) => lane.running);
  const ready = sum((lane) => lane.ready);
  const places = sum((lane) => (lane.agent === anyAgent ? 0 : Math.max(0, lane.concurrency - lane.running)));
  const own = sum((lane) =>
    lane.agent === anyAgent ? 0 : Math.min(lane.ready, Math.max(0, lane.concurrency - lane.running)),
  );
  const any = lanes.find(({ agent }) => agent === anyAgent)?.ready ?? 0;
  const startable = own + Math.min(any, places - own);
  const idle = Math.max(0, workers - running);
  return {
    ...{ running, ready },
    forWorker: Math.max(0, startable - idle),
    forAgent: ready - startable,
    freeAgents: lanes.filter(free).length,
    idleWorkers: Math.max(0, idle - startable),
  };
}
