import type { Result } from '../../contract/result.ts';
import { callDigest } from '../../core/approvals/digest.ts';
import { toHex } from '../../core/lib/bytes.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import { TaskLeases } from '../../core/supervisor/task-leases.ts';
import {
  createTaskWorkerPool,
  type TaskRun,
  type TaskWorkerPool,
} from '../../core/supervisor/task-worker-pool.ts';
import type { HandedIn, HandOut, HandOutFailure } from '../../core/tasks/hand-out-port.ts';
import { newTask, type Task, type TaskDraft } from '../../core/tasks/task.ts';
import type { AddedTask, TaskStore } from '../../core/tasks/task-ports.ts';
import type { HostPorts } from '../host-ports.ts';
import type { TaskWorktrees, TaskWorktreesDeps } from '../worktrees/task-worktrees.ts';
import { createTaskWork, type TaskWork } from './claimed-task-work.ts';
import { EndReports } from './end-reports.ts';
import { createHandOuts, type HandOuts } from './hand-out.ts';
import { createHeldTasks, type HeldTasks } from './held-tasks.ts';
import { createUntilTaken, type UntilTaken } from './retry-write.ts';
import type { TaskAgents } from './task-agents.ts';
import { createTaskEnds } from './task-ends.ts';
import { TaskLanes } from './task-lanes.ts';
import { createTaskPauses, type TaskWorkflows } from './task-pauses.ts';
import { type TaskApprovals, TaskQuestions } from './task-questions.ts';
import { defaultStepLimit, type TaskSettings, workerCount } from './task-settings.ts';

export interface TaskServiceDeps {
  readonly agents: TaskAgents;
  readonly approvals: TaskApprovals;
  readonly ports: Pick<HostPorts, 'clock' | 'log' | 'random' | 'mode'>;
  readonly settings: TaskSettings;
  readonly workflows: TaskWorkflows;
  /** Publishes a change of a task or its steps; `null` for all. */
  publish(task: number | null): void;
}

/** The worktrees of the tasks in this store. */
export type WorktreesOf = (deps: Pick<TaskWorktreesDeps, 'store' | 'changed'>) => TaskWorktrees;

/** The queue, the workers and the waits of an open task store. */
export class TaskService {
  readonly store: TaskStore;
  readonly held: HeldTasks;
  readonly worktrees: TaskWorktrees;
  readonly #deps: TaskServiceDeps;
  readonly #handOuts: HandOuts;
  readonly #lanes: TaskLanes;
  readonly #pool: TaskWorkerPool | null;
  readonly #questions: TaskQuestions;
  readonly #reports: EndReports;
  readonly #untilTaken: UntilTaken;
  readonly #work: TaskWork;

  constructor(
    deps: TaskServiceDeps,
    store: TaskStore,
    {
      crypto,
      worktreesOf,
    }: { readonly crypto: Pick<CryptoEngine, 'sha256'>; readonly worktreesOf: WorktreesOf },
  ) {
    this.#deps = deps;
    this.store = store;
    const { agents, approvals, ports, settings, workflows } = deps;
    const { clock, log } = ports;
    const resumed = (id: number): void => {
      this.changed(id);
      this.wake();
    };
    this.#untilTaken = createUntilTaken(clock);
    const waiting = { store, untilTaken: this.#untilTaken };
    this.held = createHeldTasks({ ...waiting, now: clock.now, freed: resumed });
    this.#questions = new TaskQuestions({ ...waiting, approvals, clock, onAnswered: resumed });
    this.#handOuts = createHandOuts({
      add: (draft) => this.add(draft).task,
      agentId: agents.find,
      cancel: (id) => void this.cancel(id),
    });
    const sha256 = (bytes: Uint8Array): string => toHex(crypto.sha256(bytes));
    const ends = createTaskEnds({ agents, gate: () => approvals.gate(), log });
    this.#reports = new EndReports({ clock, log, store, tell: ends.tell });
    this.worktrees = worktreesOf({ store, changed: (id) => this.changed(id) });
    this.#work = createTaskWork({
      agents,
      worktrees: this.worktrees,
      calls: {
        // Without the agent's id: another agent may continue the task.
        digest: (tool, args) => callDigest(sha256, { agentId: '', tool, args }) ?? 'too deep',
        perStep: () => settings.config().limits.tools_per_step,
      },
      ends,
      pauses: createTaskPauses({ clock, held: this.held, questions: this.#questions, store, workflows }),
      work: { store, clock, random: ports.random, log: ports.log },
    });
    this.#lanes = new TaskLanes({ agents, settings, store });
    this.#release(this.#lanes.agents());
    this.#pool = ports.mode === 'full' ? this.#startWorkers() : null;
    this.#questions.resumeAnswered();
    if (ports.mode === 'full') void this.worktrees.sweep();
    this.agentsChanged(agents.ids());
  }

  workers(): number {
    return workerCount(this.#deps.settings);
  }

  busy(): ReturnType<TaskWorkerPool['busy']> {
    return this.#pool?.busy() ?? [];
  }

  /** Queues a task with the default step budget; returns the first task of its key. */
  add(draft: TaskDraft): AddedTask {
    const { ports, settings } = this.#deps;
    const budget = { steps: defaultStepLimit(settings), ...draft.budget };
    const added = this.store.add({ task: newTask({ ...draft, budget }, ports.clock.now()), steps: [] });
    this.changed(added.task.id);
    this.wake();
    return added;
  }

  /** Publishes a task change and resolves its waiters. */
  changed(id: number): void {
    this.#deps.publish(id);
    const task = despiteStore(() => this.store.task(id), null);
    if (task?.status === 'pending') this.#release([task.runner ?? '']);
    if (!task || (task.status !== 'done' && task.status !== 'error')) return;
    this.#handOuts.ended(task);
    this.#reports.tell(task);
  }

  /** Call it when a task may be ready or was withdrawn. */
  wake(): void {
    this.#pool?.wake();
  }

  /** Starts this task now; returns false if no worker is free. */
  take(id: number): boolean {
    return this.#pool?.take(id) ?? false;
  }

  /** Cancels at once, even in the middle of a step. */
  cancel(id: number): Result<Task> {
    const before = this.store.task(id);
    const changed = this.store.change(id, { type: 'cancel' }, this.#deps.ports.clock.now());
    if (!changed.ok) return changed;
    if (changed.value.status === 'running') this.#pool?.abort(id, 'stopped');
    if (before) this.#questions.withdraw(before);
    this.changed(id);
    return changed;
  }

  handOut(work: HandOut, signal: AbortSignal): Promise<Result<HandedIn, HandOutFailure>> {
    return this.#handOuts.handOut(work, signal);
  }

  decided(approvalId: string): void {
    this.#questions.answered(approvalId);
  }

  /** Immediate: a stopped agent must not continue a task. */
  lifeChanged(id: string): void {
    if (this.#deps.agents.isRunning(id)) return;
    if (this.#lanes.isOpen(id)) this.agentsChanged([id]);
    this.#pool?.abortRunner(id);
  }

  agentsChanged(ids: readonly string[]): void {
    this.#release(ids);
    const change = this.#lanes.update(ids);
    if (change === 'same') return;
    if (change === 'begun') this.#reports.tellMissed();
    this.#deps.publish(null);
    this.wake();
  }

  settingsChanged(): void {
    this.agentsChanged(this.#lanes.agents());
    this.#deps.publish(null);
    this.wake();
  }

  async leave(): Promise<void> {
    await this.#pool?.leave();
  }

  async stop(graceMs: number): Promise<void> {
    await this.#pool?.stop(graceMs);
    this.#handOuts.stop();
    this.#untilTaken.stop();
    this.store.release();
  }

  #startWorkers(): TaskWorkerPool {
    const { agents, ports } = this.#deps;
    const { clock, log, random } = ports;
    const leases = new TaskLeases({
      store: this.store,
      clock,
      log,
      // This host has the folder's lock, so every other owner of a task is dead.
      me: { owner: random.uuid(), pid: process.pid, bootId: '', alive: () => false },
      onRecovered: (task) => this.changed(task),
    });
    return createTaskWorkerPool({
      leases,
      clock,
      log,
      workers: () => this.workers(),
      run: (run) => this.#run(run),
      onAssigned: (task, runner) => {
        this.changed(task);
        agents.taskChanged(runner);
      },
    });
  }

  async #run(run: TaskRun): Promise<void> {
    const runner = run.task.runner ?? '';
    // The agent stopped in this moment: it gets no further tasks, and this one returns to the queue.
    if (!this.#deps.agents.isRunning(runner)) return this.#lanes.close(runner);
    return this.#work(run, () => this.#deps.publish(run.task.id));
  }

  /** Any agent may take the tasks of deleted or archived agents. */
  #release(ids: readonly string[]): void {
    const freed = this.#lanes.release(ids);
    for (const task of freed) this.#deps.publish(task);
    if (freed.length > 0) this.wake();
  }
}
