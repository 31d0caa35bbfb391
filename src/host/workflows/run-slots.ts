/**
 * Slots of the runs that work at once (T27). A run holds no slot while all its steps in progress are handed
 * out to agents: an agent may wait for a person for days, and its task has a limit of its own.
 */
import type {
  SlotGrant,
  SlotWait,
  StepCall,
  StepOutcome,
  StepRunner,
  StepRunners,
} from '../../core/workflows/engine/engine-ports.ts';

/** Limit on runs that work at once; those that wait for people, times or agents do not count. */
const maxSlots = 16;
/** Limit per agent, so that its runs leave slots for others. */
const maxOfAgent = 4;
/** Limit on runs in memory, with those that wait for an agent. */
const maxOpen = 500;

export interface RunSlots {
  /**
   * Takes a slot for the run; false if none is free. `agentOf` tells which agent started it, or `null` for
   * anyone else; it reads the run, so it is only asked while a slot is free.
   */
  take(run: string, agentOf: () => string | null): boolean;
  /** The run is no longer driven. */
  leave(run: string): void;
  /**
   * Drives `child`, a run that a step of `caller` started and waits for. Both share one slot, which `child`
   * returns while agents do all its work. Resolves once `caller` has a slot again, or without one on abort.
   */
  share<T>(caller: string, child: string, signal: AbortSignal, drive: () => Promise<T>): Promise<T>;
  /** The same runners; their steps claim, keep or return the slot of their run. */
  around(runners: StepRunners): StepRunners;
}

interface OpenRun {
  readonly agent: string | null;
  holds: boolean;
  /** Steps in progress in this host. */
  own: number;
  /** Steps that were granted the slot and have not begun. */
  granted: number;
  /** Steps in progress as tasks of agents. */
  handedOut: number;
}

interface Waiter {
  readonly run: OpenRun;
  go(): void;
}

interface SlotPool {
  isFull(): boolean;
  /** True if a run of this agent may take a slot now. */
  fits(agent: string | null): boolean;
  add(id: string, agent: string | null): void;
  find(id: string): OpenRun | undefined;
  remove(id: string): void;
  size(): number;
  /** Gives the run a slot; if none is free, returns the wait for one. */
  enter(run: OpenRun): SlotWait | null;
  /** Returns the slot of a run while agents do all its work. */
  giveBackIfIdle(run: OpenRun): void;
}

function createSlotPool(onFree: () => void): SlotPool {
  const open = new Map<string, OpenRun>();
  let waiters: readonly Waiter[] = [];

  const working = (): readonly OpenRun[] => [...open.values()].filter(({ holds }) => holds);
  const isFull = (): boolean => working().length >= maxSlots;
  const fits = (agent: string | null): boolean =>
    !isFull() && (agent === null || working().filter((one) => one.agent === agent).length < maxOfAgent);
  const grant = (run: OpenRun): void => {
    run.holds = true;
    const steps = waiters.filter((waiter) => waiter.run === run);
    waiters = waiters.filter((waiter) => waiter.run !== run);
    for (const { go } of steps) go();
  };
  const giveBack = (run: OpenRun): void => {
    run.holds = false;
    const next = waiters.find((waiter) => fits(waiter.run.agent));
    if (next === undefined) onFree();
    else grant(next.run);
  };
  const giveBackIfIdle = (run: OpenRun): void => {
    if (run.holds && run.own === 0 && run.granted === 0 && run.handedOut > 0) giveBack(run);
  };
  /** Resolves once the run was granted a slot. */
  const wait = (run: OpenRun, signal: AbortSignal): Promise<SlotGrant | null> =>
    new Promise((resolve) => {
      if (signal.aborted) {
        resolve(null);
        return;
      }
      const drop = (): void => {
        waiters = waiters.filter((one) => one !== waiter);
        resolve(null);
      };
      const release = (): void => {
        run.granted -= 1;
        giveBackIfIdle(run);
      };
      const go = (): void => {
        signal.removeEventListener('abort', drop);
        run.granted += 1;
        resolve({ release });
      };
      const waiter: Waiter = { run, go };
      waiters = [...waiters, waiter];
      signal.addEventListener('abort', drop, { once: true });
    });
  return {
    isFull,
    fits,
    giveBackIfIdle,
    add: (id, agent) => void open.set(id, { agent, holds: true, own: 0, granted: 0, handedOut: 0 }),
    find: (id) => open.get(id),
    size: () => open.size,
    remove(id) {
      const run = open.get(id);
      open.delete(id);
      if (run?.holds) giveBack(run);
    },
    enter(run) {
      if (run.holds) return null;
      if (!fits(run.agent)) return (signal) => wait(run, signal);
      grant(run);
      return null;
    },
  };
}

/** `onFree`: a slot was returned and no open run waits for it. */
export function createRunSlots(onFree: () => void): RunSlots {
  const pool = createSlotPool(onFree);
  /** Runs that a step of an open run drives, with the run whose slot they share. */
  const shared = new Map<string, OpenRun>();
  const find = (id: string): OpenRun | undefined => pool.find(id) ?? shared.get(id);
  const claim: StepRunner['claim'] = (id) => {
    const run = find(id);
    return run === undefined ? null : pool.enter(run);
  };
  const workOn = async (run: OpenRun, call: StepCall, runner: StepRunner): Promise<StepOutcome> => {
    run.own += 1;
    try {
      return await runner.run(call);
    } finally {
      run.own -= 1;
      pool.giveBackIfIdle(run);
    }
  };
  const handOut = async (run: OpenRun, call: StepCall, runner: StepRunner): Promise<StepOutcome> => {
    run.handedOut += 1;
    pool.giveBackIfIdle(run);
    try {
      return await runner.run(call);
    } finally {
      // The run claims a slot again for its next step in this host.
      run.handedOut -= 1;
    }
  };
  const wrap = (runner: StepRunner, how: typeof workOn): StepRunner => ({
    ...runner,
    run(call) {
      const run = find(call.run);
      return run === undefined ? runner.run(call) : how(run, call, runner);
    },
  });

  return {
    take(run, agentOf) {
      if (pool.size() >= maxOpen || pool.isFull()) return false;
      const agent = agentOf();
      if (!pool.fits(agent)) return false;
      pool.add(run, agent);
      return true;
    },
    leave: (run) => pool.remove(run),
    async share(caller, child, signal, drive) {
      const run = find(caller);
      if (run === undefined) return drive();
      shared.set(child, run);
      // The calling step only waits; steps of `child` count instead.
      run.own -= 1;
      try {
        return await drive();
      } finally {
        shared.delete(child);
        const grant = await pool.enter(run)?.(signal);
        run.own += 1;
        grant?.release();
      }
    },
    around: (runners) => ({
      reap: (process, run) => runners.reap(process, run),
      shell: { ...wrap(runners.shell, workOn), claim },
      pipeline: { ...wrap(runners.pipeline, workOn), claim },
      model: { ...wrap(runners.model, workOn), claim },
      agent: wrap(runners.agent, handOut),
    }),
  };
}
