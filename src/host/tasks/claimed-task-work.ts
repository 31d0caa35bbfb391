import { withNextStep } from '../../core/lib/with-next-step.ts';
import type { RuntimePort, TurnAbort } from '../../core/supervisor/runtime-port.ts';
import { type TaskWorkDeps, workOnTask } from '../../core/supervisor/task-work.ts';
import type { TaskRun } from '../../core/supervisor/task-worker-pool.ts';
import { createClaimedSteps } from '../../core/tasks/claimed-steps.ts';
import { TaskJournal } from '../../core/tasks/task-journal.ts';
import { gitFolder } from '../worktrees/git.ts';
import type { TaskWorktrees } from '../worktrees/task-worktrees.ts';
import type { TaskAgents } from './task-agents.ts';
import type { TaskEnds } from './task-ends.ts';
import type { TaskPauses } from './task-pauses.ts';
import { runtimePlace, type TaskCalls, taskResources, turnOf } from './task-runtime.ts';

export interface WorkOnDeps {
  readonly agents: Pick<TaskAgents, 'runner'>;
  readonly calls: TaskCalls;
  readonly ends: TaskEnds;
  readonly pauses: TaskPauses;
  readonly worktrees: Pick<TaskWorktrees, 'ready'>;
  readonly work: Omit<TaskWorkDeps, 'finishing'>;
}

/** Works on one claim of a task with the runtime of its agent. */
export type TaskWork = (run: TaskRun, onStep: () => void) => Promise<void>;

export const createTaskWork =
  ({ agents, calls, ends, pauses, work, worktrees }: WorkOnDeps): TaskWork =>
  async (run, onStep) => {
    const { store, clock } = work;
    const { claim, signal, leaving } = run;
    const agentId = run.task.runner ?? '';
    const capabilities = agents.runner(agentId)?.capabilities;
    if (!capabilities) return;
    const worktree = await worktrees.ready(run.task, agentId);
    if (!worktree.ok) {
      const failure = { kind: 'failed', message: withNextStep(worktree.error) } as const;
      store.change(run.task.id, { type: 'failed', by: claim, failure }, clock.now());
      return;
    }
    const task = { ...run.task, worktree: worktree.value ?? run.task.worktree };
    const workspace = worktree.value && {
      path: worktree.value.path,
      reads: [gitFolder(worktree.value.repository)],
    };
    const about = await capabilities.context(runtimePlace(task)?.roomId ?? null);
    const turn = new AbortController();
    const end = (why: TurnAbort): void => turn.abort(why);
    const onAbort = (): void => end(signal.reason === 'stopped' ? 'stopped' : 'interrupted');
    const journal: TaskJournal = new TaskJournal({
      task,
      steps: createClaimedSteps({ store, taskId: task.id, claim, clock }),
      clock,
      leaving,
      onStop: () => end('interrupted'),
      onStep,
    });
    // A model request can be repeated, so it is cut off; a running tool may finish.
    const onLeave = (): void => {
      if (!journal.working) journal.halt({ type: 'left' });
    };
    signal.addEventListener('abort', onAbort, { once: true });
    leaving.addEventListener('abort', onLeave, { once: true });
    if (signal.aborted) onAbort();
    if (leaving.aborted) onLeave();
    let runtime: RuntimePort | null = null;
    try {
      runtime = await capabilities.taskRuntime(
        (turns) => taskResources({ task, journal, turns, calls, pause: pauses(run, journal) }),
        workspace,
      );
      const finishing: TaskWorkDeps['finishing'] = async (done, result) =>
        void (await ends.tell({ ...done, status: 'done', result }));
      await workOnTask(
        { ...work, finishing },
        {
          task,
          claim,
          journal,
          runtime,
          turn: turnOf(task, agentId, about, journal),
          signal: turn.signal,
        },
      );
    } finally {
      signal.removeEventListener('abort', onAbort);
      leaving.removeEventListener('abort', onLeave);
      // The next claim has a runtime of its own, so an idle program would only use memory.
      await runtime?.close?.();
    }
  };
