import { existsSync } from 'node:fs';
import type { Approval } from '../../contract/consent.ts';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import { noneSpent } from '../../core/models/usage.ts';
import type { Clock, StoredMessage } from '../../core/ports.ts';
import type { TaskDesk } from '../../core/tasks/task-desk-port.ts';
import type { HostContext } from '../context.ts';
import type { OpenParts } from '../operator.ts';
import { createSoon } from '../soon.ts';
import type { WatchStore } from '../store-watch.ts';
import { createEmptySource } from './no-task-yet.ts';
import { createTaskFeed, type TaskFeed, type TaskSource } from './task-feed.ts';
import type { TaskRoom } from './task-room.ts';

/** What agents are to do without being talked to. A host that was never given a task loads and makes nothing for it. */
export interface Tasks extends TaskDesk {
  /** The vault is open: what was begun before goes on. Called again with every new set of connections. */
  open(parts: OpenParts): Promise<void>;
  /** Made with its first use. */
  room(): Promise<Result<TaskRoom>>;
  /** Null: nobody was ever given a task, and nothing is made for looking. */
  known(): Promise<Result<TaskRoom | null>>;
  /** Topics `tasks` and `task:<n>`. */
  readonly feed: TaskFeed;
  /** The task that an agent works on, one of them; null: none. */
  taskOf(agentId: string): number | null;
  /** An agent began or ceased to run, or its settings changed. */
  agentChanged(id: string): void;
  settingsChanged(): void;
  /** A question was answered, or is over. */
  decided(approval: Approval): void;
  /** Something of a run was written; tasks that wait for its end go on when it is over. */
  runChanged(run: string, over: () => boolean): void;
  /** Runs can be looked at from now on: what ended meanwhile lets its tasks go on. */
  runsOpened(over: (run: string) => boolean): void;
  /** What the operator said to the host by this message to an agent. Never rejects; false: it could not be done now. */
  heed(agentId: string, message: StoredMessage): Promise<boolean>;
  /** No step begins any more; resolves when those at work have ended. */
  leave(): Promise<void>;
  /** Steps at work have so long to come to their end: ms. */
  stop(graceMs: number): Promise<void>;
  /** Deletes all of it; for a vault that goes. */
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
  #opening: Promise<Result<TaskRoom>> | null = null;
  #room: TaskRoom | null = null;
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

  async room(): Promise<Result<TaskRoom>> {
    const parts = this.#parts;
    if (!parts || this.#stopped) return err(locked);
    this.#opening ??= this.#make(parts);
    const opened = await this.#opening;
    // What failed once is tried again with the next call.
    if (!opened.ok) this.#opening = null;
    return opened;
  }

  async known(): Promise<Result<TaskRoom | null>> {
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

  async #make(parts: OpenParts): Promise<Result<TaskRoom>> {
    const [{ openTaskRoom }, { createTaskSource }] = await Promise.all([
      import('./task-room.ts'),
      import('./task-source.ts'),
    ]);
    const opened = openTaskRoom({ context: this.#context, parts, watchStore: this.#watchStore });
    if (!opened.ok) return opened;
    this.#room = opened.value;
    if (this.#over) opened.value.held.lookAgain(this.#over);
    this.#source = createTaskSource(this.#context(), opened.value);
    this.feed.changed(null);
    return opened;
  }
}
