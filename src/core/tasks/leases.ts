/**
 * Whether the owner of a running task is still there. It promises never to take a task from the living because a clock
 * jumped or the machine slept (F8, F23): it believes another boot, a process that is gone, or a heartbeat that has not
 * moved for a whole lease of its own waking time, and never the difference of two dates.
 */
import type { Lease } from './task.ts';

/** Own monotonic ms without a beat after which an owner counts as gone. */
export const leaseMs = 60_000;
/** How often a living owner beats. */
export const beatMs = 15_000;

export interface HeldTask {
  readonly task: number;
  readonly claim: number;
  readonly lease: Lease;
}

interface Sighting {
  readonly claim: number;
  readonly beat: number;
  /** Own monotonic ms when this beat was first seen. */
  readonly since: number;
}
export type Sightings = ReadonlyMap<number, Sighting>;

export interface Observer {
  readonly owner: string;
  readonly bootId: string;
  /** Monotonic, ms. */
  readonly now: number;
  /** Whether a process of this id runs; true also where that cannot be told. */
  alive(pid: number): boolean;
}

export interface LeaseVerdict {
  readonly dead: readonly HeldTask[];
  /** For the next look. */
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
