import type { TurnAbort } from '../../core/supervisor/runtime-port.ts';
import { workOnTask } from '../../core/supervisor/task-work.ts';
import type { TaskRun } from '../../core/supervisor/task-worker-pool.ts';
import { TaskJournal } from '../../core/tasks/task-journal.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';
import { isFinished } from '../../core/workflows/engine/fold.ts';
import type { HostContext } from '../context.ts';
import type { AwaitedRun, HeldTasks } from './held-tasks.ts';
import { tellEnd } from './task-ends.ts';
import { createTaskRuntime, placeOf, turnOf } from './task-runtime.ts';

export interface WorkOnDeps {
  readonly context: HostContext;
  readonly store: TaskStore;
  readonly run: TaskRun;
  readonly held: HeldTasks;
  /** sha256 in hex of a call's canonical arguments, independent of the caller. */
  digest(tool: string, args: Readonly<Record<string, unknown>>): string;
  onStep(task: number): void;
}

function stillWaits({ approvals }: HostContext, approvalId: string): boolean {
  const parts = approvals.parts();
  const found = parts.ok ? parts.value.centre.find(approvalId) : parts;
  return found.ok && found.value.approval.state === 'waiting';
}

/** Data of a run that a task waits for, or `null` if the run has ended or is not readable. */
async function awaitedRun({ workflows }: HostContext, id: string): Promise<AwaitedRun | null> {
  const runs = await workflows.runs();
  const row = runs.ok ? runs.value.journal.run(id) : null;
  if (!runs.ok || !row) return null;
  const { book, journal } = runs.value;
  const over = (): boolean => isFinished(journal.run(id)?.status ?? 'failed');
  return over() ? null : { run: id, name: book.name(row), over };
}

/** Works on one claim of a task with the runtime of its agent. */
export async function workOn({ context, store, run, held, digest, onStep }: WorkOnDeps): Promise<void> {
  const { fleet, ports, settings } = context;
  const { task, claim, signal, leaving } = run;
  const agentId = task.runner ?? '';
  const hands = fleet.post(agentId)?.hands;
  if (!hands) return;
  const [thinking, about] = await Promise.all([
    hands.thinking(),
    hands.context(placeOf(task)?.roomId ?? null),
  ]);
  const turn = new AbortController();
  const end = (why: TurnAbort): void => turn.abort(why);
  const onAbort = (): void => end(signal.reason === 'stopped' ? 'stopped' : 'interrupted');
  const journal: TaskJournal = new TaskJournal({
    store,
    task,
    claim,
    clock: ports.clock,
    leaving,
    onStop: () => end('interrupted'),
    onStep: () => onStep(task.id),
  });
  // A model request can be repeated, so it is cut off; a running tool may finish.
  const onLeave = (): void => {
    if (!journal.working) journal.halt({ type: 'left' });
  };
  signal.addEventListener('abort', onAbort, { once: true });
  leaving.addEventListener('abort', onLeave, { once: true });
  if (signal.aborted) onAbort();
  if (leaving.aborted) onLeave();
  const waits = (approvalId: string): boolean => {
    // Just answered: the answer is on its way to the step.
    if (!stillWaits(context, approvalId)) return false;
    const asked = { type: 'approval-asked', by: claim, approvalId } as const;
    // A request that a crash interrupted starts again after the answer.
    journal.requestFailed('Interrupted.');
    if (!store.change(task.id, asked, ports.clock.now()).ok) return false;
    journal.halt({ type: 'waiting' });
    return true;
  };
  const holds = async (id: string): Promise<boolean> => {
    const awaited = await awaitedRun(context, id);
    if (awaited === null || !held.hold(task.id, claim, awaited)) return false;
    journal.halt({ type: 'waiting' });
    return true;
  };
  const toolsPerStep = (): number => settings.config().limits.tools_per_step;
  try {
    await workOnTask({
      store,
      task,
      claim,
      journal,
      signal: turn.signal,
      clock: ports.clock,
      random: ports.random,
      log: ports.log,
      runtime: createTaskRuntime({ task, journal, thinking, digest, toolsPerStep, waits, holds }),
      turn: turnOf(task, agentId, about, journal),
      finishing: async (result) => void (await tellEnd(context, { ...task, status: 'done', result })),
    });
  } finally {
    signal.removeEventListener('abort', onAbort);
    leaving.removeEventListener('abort', onLeave);
  }
}
