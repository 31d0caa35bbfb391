/**
 * Judges whether the owner of a running task is still alive. A clock jump or sleep never costs a living owner
 * its task (F8, F23): proof is another boot, a missing process, or a heartbeat that has not moved for a whole
 * lease of monotonic time, never a difference of dates.
 */
import type { Lease } from './task.ts';

/** Monotonic ms of the observer without a heartbeat, after which an owner counts as dead. */
export const leaseMs = 60_000;
/** Heartbeat interval in ms. */
export const beatMs = 15_000;

export interface HeldTask {
  readonly task: number;
  readonly claim: number;
  readonly lease: Lease;
}

interface Sighting {
  readonly claim: number;
  readonly beat: number;
  /** Monotonic ms of the observer when this beat was first seen. */
  readonly since: number;
}
export type Sightings = ReadonlyMap<number, Sighting>;

export interface Observer {
  readonly owner: string;
  readonly bootId: string;
  /** Monotonic ms. */
  readonly now: number;
  /** Whether a process with this id runs; true also if unknown. */
  alive(pid: number): boolean;
}

export interface LeaseVerdict {
  readonly dead: readonly HeldTask[];
  /** Input of the next call. */
  readonly seen: Sightings;
}

export function judgeLeases(held: readonly HeldTask[], seen: Sightings, me: Observer): LeaseVerdict {
  const next = new Map<number, Sighting>();
  const dead: HeldTask[] = [];
  for (const one of held) {
    const { lease, task, claim } = one;
    const before = seen.get(task);
    const same = before?.claim === claim && before.beat === lease.beat;
    const sighting = same ? before : { claim, beat: lease.beat, since: me.now };
    next.set(task, sighting);
    if (lease.owner === me.owner) continue;
    const gone = lease.bootId !== me.bootId || !me.alive(lease.pid);
    if (gone || me.now - sighting.since >= leaseMs) dead.push(one);
  }
  return { dead, seen: next };
}
