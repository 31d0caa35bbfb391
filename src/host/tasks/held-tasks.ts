import type { Claim } from '../../core/tasks/lifecycle.ts';
import type { Task } from '../../core/tasks/task.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';
import type { UntilTaken } from './retry-write.ts';

// Tasks whose open step started a workflow run. No worker has them until the run ends; then the step resumes,
// finds its run by key and takes its result.

export interface HeldTasksDeps {
  readonly store: Pick<TaskStore, 'list' | 'change'>;
  readonly untilTaken: Pick<UntilTaken, 'take'>;
  now(): number;
  freed(task: number): void;
}

export interface AwaitedRun {
  readonly run: string;
  /** Name of the run for people. */
  readonly name: string;
  /** Checked again once the task waits, so that an end in between is not missed. */
  over(): boolean;
}

export interface HeldTasks {
  /** Returns false if this claim no longer holds the task. */
  hold(task: number, by: Claim, awaited: AwaitedRun): boolean;
  changed(run: string, over: () => boolean): void;
  /** Checks all waiting tasks, because runs may have ended unnoticed. */
  lookAgain(over: (run: string) => boolean): void;
}

const mostHeld = 10_000;

export function createHeldTasks({ store, untilTaken, now, freed }: HeldTasksDeps): HeldTasks {
  const held = (): readonly { readonly id: number; readonly run: string }[] =>
    (['waiting', 'paused'] as const)
      .flatMap((status) => store.list({ status, limit: mostHeld }))
      .flatMap(({ id, waitingFor }: Task) =>
        waitingFor?.kind === 'run' ? [{ id, run: waitingFor.run }] : [],
      );
  /** Cached, so that events of other runs cost nothing. */
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
