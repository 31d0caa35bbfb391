import type { TurnAbort } from '../../core/supervisor/runtime-port.ts';
import { workOnTask } from '../../core/supervisor/task-work.ts';
import type { TaskRun } from '../../core/supervisor/task-worker-pool.ts';
import { TaskJournal } from '../../core/tasks/task-journal.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';
import type { HostPorts } from '../host-ports.ts';
import type { TaskAgents } from './task-agents.ts';
import type { TaskEnds } from './task-ends.ts';
import type { TaskPauses } from './task-pauses.ts';
import { runtimePlace, type TaskCalls, taskResources, turnOf } from './task-runtime.ts';

export interface WorkOnDeps {
  readonly agents: Pick<TaskAgents, 'runner'>;
  readonly calls: TaskCalls;
  readonly ends: TaskEnds;
  readonly pauses: TaskPauses;
  readonly ports: Pick<HostPorts, 'clock' | 'log' | 'random'>;
  readonly store: TaskStore;
}

/** Works on one claim of a task with the runtime of its agent. */
export type TaskWork = (run: TaskRun, onStep: () => void) => Promise<void>;

export const createTaskWork =
  ({ agents, calls, ends, pauses, ports, store }: WorkOnDeps): TaskWork =>
  async (run, onStep) => {
    const { clock, log, random } = ports;
    const { task, claim, signal, leaving } = run;
    const agentId = task.runner ?? '';
    const capabilities = agents.runner(agentId)?.capabilities;
    if (!capabilities) return;
    const about = await capabilities.context(runtimePlace(task)?.roomId ?? null);
    const turn = new AbortController();
    const end = (why: TurnAbort): void => turn.abort(why);
    const onAbort = (): void => end(signal.reason === 'stopped' ? 'stopped' : 'interrupted');
    const journal: TaskJournal = new TaskJournal({
      store,
      task,
      claim,
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
    try {
      const runtime = await capabilities.taskRuntime((turns) =>
        taskResources({ task, journal, turns, calls, pause: pauses(run, journal) }),
      );
      await workOnTask({
        store,
        task,
        claim,
        journal,
        signal: turn.signal,
        clock,
        random,
        log,
        runtime,
        turn: turnOf(task, agentId, about, journal),
        finishing: async (result) => void (await ends.tell({ ...task, status: 'done', result })),
      });
    } finally {
      signal.removeEventListener('abort', onAbort);
      leaving.removeEventListener('abort', onLeave);
    }
  };
