/** Explains why a pending task has not started yet. */
import type { TaskLane, TaskSummary, TaskWorkers } from './task-methods.ts';

export type TaskWait =
  | { readonly type: 'time'; readonly at: number }
  /** Its agent does not run; `life` is its state. */
  | { readonly type: 'agent'; readonly name: string; readonly life: Exclude<TaskLane['life'], 'running'> }
  | { readonly type: 'place'; readonly name: string }
  /** Any agent may take it, and none is free. */
  | { readonly type: 'any-agent' }
  | { readonly type: 'worker' };

type Waiting = Pick<TaskSummary, 'status' | 'agentId' | 'runnerId' | 'dueAt'>;

/** `null` if it is not pending, or is about to start. */
export function waitOf(
  { status, agentId, runnerId, dueAt }: Waiting,
  { workers, lanes, freeAgents }: Pick<TaskWorkers, 'workers' | 'lanes' | 'freeAgents'>,
  now: number,
): TaskWait | null {
  if (status !== 'pending') return null;
  if (dueAt !== null && dueAt > now) return { type: 'time', at: dueAt };
  const owner = agentId ?? runnerId;
  const lane = lanes.find((one) => one.agentId === owner);
  // The lane is not known yet.
  if (owner !== null && !lane) return null;
  if (lane && lane.life !== 'running') return { type: 'agent', name: lane.agentName, life: lane.life };
  if (lane && lane.running >= lane.places) return { type: 'place', name: lane.agentName };
  if (!lane && freeAgents === 0) return { type: 'any-agent' };
  return workers.every(({ task }) => task !== null) ? { type: 'worker' } : null;
}
