/**
 * Slots of the runs that work at once (T27). A run holds no slot while all its steps in progress are handed
 * out to agents: an agent may wait for a person for days, and its task has a limit of its own.
 */
import type {
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
  /** The same runners; their steps claim, keep or return the slot of their run. */
  around(runners: StepRunners): StepRunners;
}

interface OpenRun {
  readonly agent: string | null;
  holds: boolean;
  /** Steps in progress in this host. */
  own: number;
  /** Steps in progress as tasks of agents. */
  handedOut: number;
}

interface Waiter {
  readonly run: OpenRun;
  go(): void;
}

/** `onFree`: a slot was returned and no open run waits for it. */
export function createRunSlots(onFree: () => void): RunSlots {
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
  /** Resolves once the run was granted a slot, or without one on abort. */
  const wait = (run: OpenRun, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const drop = (): void => {
        waiters = waiters.filter((one) => one !== waiter);
        resolve();
      };
      const go = (): void => {
        signal.removeEventListener('abort', drop);
        resolve();
      };
      const waiter: Waiter = { run, go };
      waiters = [...waiters, waiter];
      signal.addEventListener('abort', drop, { once: true });
    });
  const claim: StepRunner['claim'] = (id) => {
    const run = open.get(id);
    if (run === undefined || run.holds) return null;
    if (!fits(run.agent)) return (signal) => wait(run, signal);
    grant(run);
    return null;
  };
  const workOn = async (run: OpenRun, call: StepCall, runner: StepRunner): Promise<StepOutcome> => {
    run.own += 1;
    try {
      return await runner.run(call);
    } finally {
      run.own -= 1;
      if (run.holds && run.own === 0 && run.handedOut > 0) giveBack(run);
    }
  };
  const handOut = async (run: OpenRun, call: StepCall, runner: StepRunner): Promise<StepOutcome> => {
    run.handedOut += 1;
    if (run.holds && run.own === 0) giveBack(run);
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
      const run = open.get(call.run);
      return run === undefined ? runner.run(call) : how(run, call, runner);
    },
  });

  return {
    take(run, agentOf) {
      if (open.size >= maxOpen || isFull()) return false;
      const agent = agentOf();
      if (!fits(agent)) return false;
      open.set(run, { agent, holds: true, own: 0, handedOut: 0 });
      return true;
    },
    leave(id) {
      const run = open.get(id);
      open.delete(id);
      if (run?.holds) giveBack(run);
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
