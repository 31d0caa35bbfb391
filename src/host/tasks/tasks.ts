import { existsSync } from 'node:fs';
import type { Approval } from '../../contract/consent.ts';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import { noneSpent } from '../../core/models/usage.ts';
import type { Clock } from '../../core/ports.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { TaskDesk } from '../../core/tasks/task-desk-port.ts';
import type { HostContext } from '../context.ts';
import type { OpenParts } from '../operator.ts';
import { createSoon } from '../soon.ts';
import type { WatchStore } from '../store-watch.ts';
import { createEmptySource } from './no-task-yet.ts';
import { createTaskFeed, type TaskFeed, type TaskSource } from './task-feed.ts';
import type { TaskService } from './task-service.ts';

/** Tasks for agents, outside of chat turns. A host without tasks loads and creates nothing for them. */
export interface Tasks extends TaskDesk {
  /** Resumes started tasks after the vault opened, and after every reconnect. */
  open(parts: OpenParts): Promise<void>;
  /** Created on first use. */
  room(): Promise<Result<TaskService>>;
  /** `null` if no task ever existed; creates nothing. */
  known(): Promise<Result<TaskService | null>>;
  readonly feed: TaskFeed;
  /** One of the tasks that an agent is working on, or `null`. */
  taskOf(agentId: string): number | null;
  agentChanged(id: string): void;
  settingsChanged(): void;
  decided(approval: Approval): void;
  /** A run's journal changed; tasks that wait for its end continue when it is over. */
  runChanged(run: string, over: () => boolean): void;
  /** Runs are readable now; tasks of runs that ended meanwhile continue. */
  runsOpened(over: (run: string) => boolean): void;
  /**
   * Carries out the command in this message to an agent. Never rejects; returns false if it is not possible
   * now.
   */
  heed(agentId: string, message: StoredMessage): Promise<boolean>;
  /** Starts no further step; resolves when the running ones have ended. */
  leave(): Promise<void>;
  /** `graceMs` is the grace period of running steps. */
  stop(graceMs: number): Promise<void>;
  /** Deletes all tasks together with the vault. */
  erase(): Promise<Result<void>>;
}

const locked = appError('locked', 'Your tasks are locked with your secrets.', {
  hint: 'Start Kennel, or run "kennel unlock" where it runs.',
});
const gatherMs = 50;

export function createTasks(clock: Clock, context: () => HostContext, watchStore: WatchStore): Tasks {
  return new HostTasks(clock, context, watchStore);
}

class HostTasks implements Tasks {
  readonly feed: TaskFeed;
  readonly #context: () => HostContext;
  readonly #watchStore: WatchStore;
  #parts: OpenParts | null = null;
  #opening: Promise<Result<TaskService>> | null = null;
  #room: TaskService | null = null;
  #source: TaskSource;
  #over: ((run: string) => boolean) | null = null;
  #stopped = false;
  readonly #changed = new Set<string>();
  #soon: ReturnType<typeof createSoon> | null = null;

  constructor(clock: Clock, context: () => HostContext, watchStore: WatchStore) {
    this.#context = context;
    this.#watchStore = watchStore;
    this.#source = createEmptySource(context);
    this.feed = createTaskFeed(clock, () => this.#source);
  }

  async open(parts: OpenParts): Promise<void> {
    this.#parts = parts;
    if (this.#context().ports.mode !== 'full' || !this.#exists()) return;
    const opened = await this.room();
    const { problems } = this.#context();
    if (opened.ok) problems.clear('tasks');
    else problems.set('tasks', 'error', opened.error);
  }

  async room(): Promise<Result<TaskService>> {
    const parts = this.#parts;
    if (!parts || this.#stopped) return err(locked);
    this.#opening ??= this.#make(parts);
    const opened = await this.#opening;
    // The next call retries a failed opening.
    if (!opened.ok) this.#opening = null;
    return opened;
  }

  async known(): Promise<Result<TaskService | null>> {
    return this.#exists() ? this.room() : ok(null);
  }

  readonly handOut: Tasks['handOut'] = async (work, signal) => {
    const room = await this.room();
    return room.ok ? room.value.handOut(work, signal) : err({ error: room.error, used: noneSpent });
  };

  handedOut(key: string): number | null {
    return despiteStore(() => this.#room?.store.keyed(key)?.id ?? null, null);
  }

  taskOf(agentId: string): number | null {
    return this.#room?.busy().find(({ runner }) => runner === agentId)?.task ?? null;
  }

  agentChanged(id: string): void {
    if (!this.#room) return;
    this.#room.lifeChanged(id);
    this.#changed.add(id);
    this.#soon ??= createSoon(this.#context().ports.clock, gatherMs, () => {
      const ids = [...this.#changed];
      this.#changed.clear();
      this.#room?.agentsChanged(ids);
    });
    this.#soon.request();
  }

  settingsChanged(): void {
    if (this.#room) this.#room.settingsChanged();
    else this.feed.changed(null);
  }

  decided(approval: Approval): void {
    if (approval.state !== 'waiting') this.#room?.decided(approval.id);
  }

  runChanged(run: string, over: () => boolean): void {
    this.#room?.held.changed(run, over);
  }

  runsOpened(over: (run: string) => boolean): void {
    this.#over = over;
    this.#room?.held.lookAgain(over);
  }

  async heed(agentId: string, message: StoredMessage): Promise<boolean> {
    const context = this.#context();
    try {
      const room = await this.room();
      const { heedMessage } = await import('./chat-tasks.ts');
      return await heedMessage({ context, room }, agentId, message);
    } catch (error) {
      context.ports.log.error('task_not_heeded', { agent: agentId, error: String(error) });
      return false;
    }
  }

  async leave(): Promise<void> {
    this.#stopped = true;
    await this.#opening;
    await this.#room?.leave();
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    this.#soon?.cancel();
    await this.#opening;
    await this.#room?.stop(graceMs);
    this.feed.stop();
    this.#forget();
  }

  async erase(): Promise<Result<void>> {
    await this.#opening;
    await this.#room?.stop(0);
    this.#forget();
    const { disk, layout } = this.#context();
    for (const suffix of ['', '-wal', '-shm', '.key']) {
      const gone = disk.remove(layout.taskStore + suffix);
      if (!gone.ok) return gone;
    }
    return ok(undefined);
  }

  #forget(): void {
    this.#room = null;
    this.#source = createEmptySource(this.#context);
    this.#opening = null;
  }

  #exists(): boolean {
    return this.#room !== null || existsSync(this.#context().layout.taskStore);
  }

  async #make(parts: OpenParts): Promise<Result<TaskService>> {
    const [{ openTaskService }, { createTaskSource }] = await Promise.all([
      import('./task-service.ts'),
      import('./task-source.ts'),
    ]);
    const opened = openTaskService({ context: this.#context, parts, watchStore: this.#watchStore });
    if (!opened.ok) return opened;
    this.#room = opened.value;
    if (this.#over) opened.value.held.lookAgain(this.#over);
    this.#source = createTaskSource(this.#context(), opened.value);
    this.feed.changed(null);
    return opened;
  }
}
