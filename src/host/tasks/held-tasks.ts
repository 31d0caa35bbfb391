import type { Claim } from '../../core/tasks/lifecycle.ts';
import type { Task } from '../../core/tasks/task.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';
import type { UntilTaken } from './until-taken.ts';

// Tasks whose open step has begun a run of a workflow. Nobody works on them until the run has ended: then the step is taken up
// again, finds its run by its key, and has that for its result.

export interface HeldTasksDeps {
  readonly store: Pick<TaskStore, 'list' | 'change'>;
  readonly untilTaken: Pick<UntilTaken, 'take'>;
  now(): number;
  /** It may go on from now on. */
  freed(task: number): void;
}

export interface AwaitedRun {
  readonly run: string;
  /** As people know it. */
  readonly name: string;
  /** Asked again once the task waits: what ends in between is not missed. */
  over(): boolean;
}

export interface HeldTasks {
  /** False: the task is no longer this claim's. */
  hold(task: number, by: Claim, awaited: AwaitedRun): boolean;
  /** Something of this run was written. */
  changed(run: string, over: () => boolean): void;
  /** Runs may have ended while nobody looked. */
  lookAgain(over: (run: string) => boolean): void;
}

/** Tasks that may be held at once. */
const mostHeld = 10_000;

export function createHeldTasks({ store, untilTaken, now, freed }: HeldTasksDeps): HeldTasks {
  const held = (): readonly { readonly id: number; readonly run: string }[] =>
    (['waiting', 'paused'] as const)
      .flatMap((status) => store.list({ status, limit: mostHeld }))
      .flatMap(({ id, waitingFor }: Task) =>
        waitingFor?.kind === 'run' ? [{ id, run: waitingFor.run }] : [],
      );
  /** So that what is written of other runs costs nothing. */
  const awaited = new Set(held().map(({ run }) => run));
  const ended = (run: string): void => {
    for (const one of held().filter((task) => task.run === run)) {
      if (store.change(one.id, { type: 'run-ended', run }, now()).ok) freed(one.id);
    }
    awaited.delete(run);
  };
  const look = (run: string, over: () => boolean): void =>
    untilTaken.take(() => {
      if (over()) ended(run);
    });
  return {
    hold(task, by, { run, name, over }) {
      if (!store.change(task, { type: 'run-awaited', by, run, name }, now()).ok) return false;
      awaited.add(run);
      look(run, over);
      return true;
    },
    changed(run, over) {
      if (awaited.has(run)) look(run, over);
    },
    lookAgain: (over) => untilTaken.take(() => [...awaited].filter(over).forEach(ended)),
  };
}
