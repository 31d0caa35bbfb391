import { ok, type Result } from '../../contract/result.ts';
import { callDigest } from '../../core/approvals/digest.ts';
import { toHex } from '../../core/lib/bytes.ts';
import { despiteStore, StoreError } from '../../core/lib/store-error.ts';
import {
  createTaskWorkerPool,
  type TaskRun,
  type TaskWorkerPool,
} from '../../core/supervisor/task-worker-pool.ts';
import { anyAgent, defaultConcurrency } from '../../core/tasks/queue.ts';
import type { Task } from '../../core/tasks/task.ts';
import type { HandedIn, HandOut, HandOutFailure } from '../../core/tasks/task-desk-port.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';
import { openTaskStore } from '../../services/db/task-store.ts';
import type { HostContext } from '../context.ts';
import type { OpenParts } from '../operator.ts';
import type { WatchStore } from '../store-watch.ts';
import { createHandOuts, type HandOuts } from './hand-out.ts';
import { createHeldTasks, type HeldTasks } from './held-tasks.ts';
import { wantedWorkers } from './no-task-yet.ts';
import { isFresh, tellEnd } from './task-ends.ts';
import { agentIdOf } from './task-input.ts';
import { createUntilTaken, type UntilTaken } from './until-taken.ts';
import { workOn } from './work-on.ts';

export interface TaskServiceDeps {
  readonly context: () => HostContext;
  readonly parts: OpenParts;
  readonly watchStore: WatchStore;
}

/** Ended tasks of each status searched for unreported ones. */
const lookedThrough = 100;
const mostWaiting = 10_000;

/** Default step budget: answers of the model, each with the maximum number of calls. */
export function defaultSteps({ settings }: Pick<HostContext, 'settings'>): number {
  const { max_steps: answers, tools_per_step: calls } = settings.config().limits;
  return answers * (1 + calls);
}

export function openTaskService(deps: TaskServiceDeps): Result<TaskService> {
  const { ports, layout } = deps.context();
  const key = deps.parts.keys.storeKey(layout.taskStore);
  if (!key.ok) return key;
  const { clock, log } = ports;
  const store = openTaskStore({
    path: layout.taskStore,
    key: key.value,
    clock,
    log,
    ...deps.watchStore('tasks'),
  });
  try {
    return ok(new TaskService(deps, store));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    store.release();
    return { ok: false, error: error.toAppError() };
  }
}

export class TaskService {
  readonly store: TaskStore;
  readonly #deps: TaskServiceDeps;
  readonly #crew: TaskWorkerPool | null;
  readonly #handOuts: HandOuts;
  readonly held: HeldTasks;
  readonly #untilTaken: UntilTaken;
  /** Tasks that each agent may work on at once, as stored. */
  readonly #concurrency = new Map<string, number>();
  readonly #telling = new Set<number>();

  constructor(deps: TaskServiceDeps, store: TaskStore) {
    this.#deps = deps;
    this.store = store;
    const { ports } = deps.context();
    const { clock, random } = ports;
    this.#handOuts = createHandOuts({
      store,
      clock,
      agentId: (wanted) => agentIdOf(deps.context(), wanted),
      defaultSteps: () => defaultSteps(deps.context()),
      changed: (id) => this.changed(id),
      wake: () => this.wake(),
      cancel: (id) => void this.cancel(id),
    });
    this.#untilTaken = createUntilTaken(clock);
    this.held = createHeldTasks({
      store,
      untilTaken: this.#untilTaken,
      now: clock.now,
      freed: (id) => {
        this.changed(id);
        this.wake();
      },
    });
    // At startup no agent runs, whatever the last host stored.
    const known = store.lanes().map(({ agent }) => agent);
    this.#setConcurrencies(new Map(known.map((agent) => [agent, 0])));
    this.#letGo(known);
    // This host has the folder's lock, so every other owner of a task is dead.
    const me = { owner: random.uuid(), pid: process.pid, bootId: '', alive: () => false };
    this.#crew =
      ports.mode === 'full'
        ? createTaskWorkerPool({
            store,
            clock,
            log: ports.log,
            me,
            workers: () => this.workers(),
            run: (run) => this.#run(run),
            onChanged: (task) => this.changed(task),
            onBusy: (runner) => deps.context().fleet.taskChanged(runner),
          })
        : null;
    this.#answerWhatWaits();
    this.agentsChanged(
      deps
        .context()
        .agents.list()
        .map(({ id }) => id),
    );
  }

  workers(): number {
    return wantedWorkers(this.#deps.context());
  }

  busy(): ReturnType<TaskWorkerPool['busy']> {
    return this.#crew?.busy() ?? [];
  }

  /** Publishes a task change and resolves its waiters. */
  changed(id: number | null): void {
    const { tasks } = this.#deps.context();
    tasks.feed.changed(id);
    const task = id === null ? null : despiteStore(() => this.store.task(id), null);
    if (task?.status === 'pending') this.#letGo([task.runner ?? '']);
    if (!task || (task.status !== 'done' && task.status !== 'error')) return;
    this.#handOuts.ended(task);
    this.#tell(task);
  }

  /** Call it when a task may be ready or was withdrawn. */
  wake(): void {
    this.#crew?.wake();
  }

  /** Starts this task now; returns false if no worker is free. */
  take(id: number): boolean {
    return this.#crew?.take(id) ?? false;
  }

  /** Cancels at once, even in the middle of a step. */
  cancel(id: number): Result<Task> {
    const before = this.store.task(id);
    const changed = this.store.change(id, { type: 'cancel' }, this.#deps.context().ports.clock.now());
    if (!changed.ok) return changed;
    if (changed.value.status === 'running') this.#crew?.abort(id, 'stopped');
    if (before) this.#withdrawQuestion(before);
    this.changed(id);
    return changed;
  }

  handOut(work: HandOut, signal: AbortSignal): Promise<Result<HandedIn, HandOutFailure>> {
    return this.#handOuts.handOut(work, signal);
  }

  decided(approvalId: string): void {
    this.#untilTaken.take(() => {
      for (const status of ['waiting', 'paused'] as const) {
        for (const task of this.store.list({ status, limit: mostWaiting })) {
          if (task.waitingFor?.kind === 'approval' && task.waitingFor.approvalId === approvalId)
            this.#answered(task.id, approvalId);
        }
      }
    });
  }

  /** Immediate: a stopped agent must not continue a task. */
  lifeChanged(id: string): void {
    if (this.#runs(id)) return;
    if ((this.#concurrency.get(id) ?? 0) > 0) this.agentsChanged([id]);
    this.#crew?.abortRunner(id);
  }

  agentsChanged(ids: readonly string[]): void {
    this.#letGo(ids);
    const { per_agent: many } = this.#deps.context().settings.config().tasks;
    const wanted = ids.map((id) => {
      const own = Object.hasOwn(many, id) ? many[id] : undefined;
      return [id, this.#runs(id) ? (own ?? defaultConcurrency) : 0] as const;
    });
    const fresh = new Map(wanted.filter(([id, count]) => (this.#concurrency.get(id) ?? 0) !== count));
    const begun = [...fresh].some(([id, count]) => count > 0 && (this.#concurrency.get(id) ?? 0) === 0);
    if (fresh.size === 0) return;
    despiteStore(() => this.#setConcurrencies(fresh), undefined);
    if (begun) this.#tellWhatIsLeft();
    this.#deps.context().tasks.feed.changed(null);
    this.wake();
  }

  settingsChanged(): void {
    this.agentsChanged([...this.#concurrency.keys()]);
    this.#deps.context().tasks.feed.changed(null);
    this.wake();
  }

  async leave(): Promise<void> {
    await this.#crew?.leave();
  }

  async stop(graceMs: number): Promise<void> {
    await this.#crew?.stop(graceMs);
    this.#handOuts.stop();
    this.#untilTaken.stop();
    this.store.release();
  }

  #withdrawQuestion({ waitingFor }: Pick<Task, 'waitingFor'>): void {
    if (waitingFor?.kind !== 'approval') return;
    const parts = this.#deps.context().approvals.parts();
    if (parts.ok) parts.value.centre.withdraw(waitingFor.approvalId);
  }

  #runs(id: string): boolean {
    const { agents, fleet } = this.#deps.context();
    const agent = agents.get(id);
    return agent !== null && fleet.live(agent).life === 'running' && fleet.post(id)?.hands != null;
  }

  /** Releases tasks of deleted or archived agents. */
  #letGo(ids: readonly string[]): void {
    const { agents, tasks } = this.#deps.context();
    for (const id of ids) {
      if (id === anyAgent || agents.get(id) !== null) continue;
      const free = despiteStore(() => this.store.letGo(id), []);
      for (const task of free) tasks.feed.changed(task);
      if (free.length > 0) this.wake();
    }
  }

  #setConcurrencies(of: ReadonlyMap<string, number>): void {
    this.store.setConcurrencies(of);
    for (const [agent, count] of of) this.#concurrency.set(agent, count);
  }

  #answered(task: number, approvalId: string): void {
    const at = this.#deps.context().ports.clock.now();
    this.store.change(task, { type: 'approval-answered', approvalId }, at);
    this.changed(task);
    this.wake();
  }

  /** Questions may have been answered or have expired just before the last host ended. */
  #answerWhatWaits(): void {
    const waiting = [
      ...this.store.list({ status: 'waiting', limit: mostWaiting }),
      ...this.store.list({ status: 'paused', limit: mostWaiting }),
    ];
    const asked = waiting.flatMap(({ id, waitingFor }) =>
      waitingFor?.kind === 'approval' ? [{ id, approvalId: waitingFor.approvalId }] : [],
    );
    if (asked.length === 0) return;
    const parts = this.#deps.context().approvals.parts();
    if (!parts.ok) return;
    for (const { id, approvalId } of asked) {
      const found = parts.value.centre.find(approvalId);
      if (!found.ok || found.value.approval.state !== 'waiting') this.#answered(id, approvalId);
    }
  }

  async #run(run: TaskRun): Promise<void> {
    const runner = run.task.runner ?? '';
    // The agent stopped in this moment: it gets no further tasks, and this one returns to the queue.
    if (!this.#runs(runner)) return this.#setConcurrencies(new Map([[runner, 0]]));
    const { crypto } = this.#deps.parts;
    const sha256 = (bytes: Uint8Array): string => toHex(crypto.sha256(bytes));
    return workOn({
      context: this.#deps.context(),
      store: this.store,
      held: this.held,
      run,
      digest: (tool, args) => callDigest(sha256, { agentId: '', tool, args }) ?? 'too deep',
      onStep: (id) => this.#deps.context().tasks.feed.changed(id),
    });
  }

  #tell(task: Task): void {
    if (task.origin.threadKey === null || this.#telling.has(task.id)) return;
    const context = this.#deps.context();
    if (!isFresh(task, context.ports.clock.now())) return;
    this.#telling.add(task.id);
    tellEnd(context, task)
      .catch((error: unknown) =>
        context.ports.log.error('task_end_not_told', { task: task.id, error: String(error) }),
      )
      .finally(() => this.#telling.delete(task.id));
  }

  /** Reports ends whose agent was not available; a repeated report has the same id and changes nothing. */
  #tellWhatIsLeft(): void {
    despiteStore(() => {
      for (const status of ['done', 'error'] as const)
        for (const task of this.store.list({ status, limit: lookedThrough })) this.#tell(task);
    }, undefined);
  }
}
