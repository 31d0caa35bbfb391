/**
 * Chooses the next task. The highest priority goes first; among lanes of equal priority, the one served
 * longest ago, so that an agent with many tasks does not starve others; within a lane, first come first
 * served. The store answers the same with its indexes, and is tested against this.
 */
import type { TaskBody } from './task.ts';

/**
 * Tasks of one agent, including those it has started; the lane `anyAgent` has the tasks that any agent may
 * take.
 */
export interface Lane {
  readonly agent: string;
  /** Most tasks at once; 0 for none, e.g. while the agent is paused. */
  readonly concurrency: number;
  readonly running: number;
  /** Pending tasks that are due. */
  readonly ready: number;
  /** Priority of the first task; `null` if none is ready. */
  readonly priority: number | null;
  readonly head: number | null;
  /** Increases with every claim; 0 if never served. */
  readonly served: number;
}

export const anyAgent = '';

/**
 * Once started, a task for any agent stays with its runner, because only that agent has the task's answers.
 */
export const laneOf = ({ agent, runner }: Pick<TaskBody, 'agent' | 'runner'>): string =>
  agent ?? runner ?? anyAgent;

export const defaultConcurrency = 1;

export interface NextClaim {
  readonly task: number;
  readonly lane: string;
  readonly runner: string;
}

const free = ({ agent, running, concurrency }: Lane): boolean => agent !== anyAgent && running < concurrency;

/** `null` if nothing is ready, or every possible agent is busy. */
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

/** Why ready tasks wait. */
export interface QueuePressure {
  readonly running: number;
  readonly ready: number;
  /** Part of `ready` that waits for a worker. */
  readonly forWorker: number;
  /** Part of `ready` whose agent is busy or paused. */
  readonly forAgent: number;
  /** Number of agents that could start one more task. */
  readonly freeAgents: number;
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
    running,
    ready,
    forWorker: Math.max(0, startable - idle),
    forAgent: ready - startable,
    freeAgents: lanes.filter(free).length,
    idleWorkers: Math.max(0, idle - startable),
  };
}
