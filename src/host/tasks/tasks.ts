import type { Approval } from '../../contract/approvals.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { OpenOnce } from '../../core/lib/open-once.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import { noneSpent } from '../../core/models/usage.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { AgentTasks } from '../../core/tasks/agent-tasks-port.ts';
import type { HandOutPort } from '../../core/tasks/hand-out-port.ts';
import { createThrottle } from '../feed/throttle.ts';
import type { HostPorts } from '../host-ports.ts';
import type { Problems } from '../problems.ts';
import { createAgentTasks } from './agent-tasks.ts';
import { createEmptySource } from './empty-source.ts';
import { createInterruptedSteps, type InterruptedSteps } from './interrupted-steps.ts';
import type { TaskAgents } from './task-agents.ts';
import { createTaskFeed, type TaskFeed, type TaskSource } from './task-feed.ts';
import type { TaskKeys, TaskOpener } from './task-opener.ts';
import type { TaskRooms } from './task-rooms.ts';
import type { TaskService } from './task-service.ts';
import type { TaskSettings } from './task-settings.ts';

/** Tasks for agents, outside of chat turns. A host without tasks loads and creates nothing for them. */
export interface Tasks extends HandOutPort {
  /** Resumes started tasks after the vault opened, and after every reconnect. */
  open(parts: TaskKeys): Promise<void>;
  /** Created on first use. */
  service(): Promise<Result<TaskService>>;
  /** `null` if no task ever existed; creates nothing. */
  known(): Promise<Result<TaskService | null>>;
  readonly feed: TaskFeed;
  /** Tasks as this agent may use them. */
  ofAgent(agentId: string): AgentTasks;
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

const locked = fail('locked', 'tasks.tasksLocked', {}, { help: 'tasks.startOrUnlockKennel' });
const gatherMs = 50;

export interface TasksDeps {
  readonly agents: TaskAgents;
  readonly opener: TaskOpener;
  readonly ports: Pick<HostPorts, 'clock' | 'log' | 'mode'>;
  readonly problems: Problems;
  readonly rooms: TaskRooms;
  readonly settings: TaskSettings;
}

export function createTasks(deps: TasksDeps): Tasks {
  return new HostTasks(deps);
}

interface OpenTasks {
  readonly service: TaskService;
  readonly source: TaskSource;
}

class HostTasks implements Tasks {
  readonly feed: TaskFeed;
  readonly #deps: TasksDeps;
  #parts: TaskKeys | null = null;
  readonly #opened: OpenOnce<OpenTasks>;
  #over: ((run: string) => boolean) | null = null;
  #stopped = false;
  readonly #changed = new Set<string>();
  readonly #interrupted: InterruptedSteps;
  readonly #soon: ReturnType<typeof createThrottle>;

  constructor(deps: TasksDeps) {
    this.#deps = deps;
    const { clock } = deps.ports;
    this.#opened = new OpenOnce((opened) => this.#onOpened(opened));
    const store = () => this.#service?.store ?? null;
    this.#interrupted = createInterruptedSteps({ clock, problems: deps.problems, store });
    const empty = createEmptySource(deps.settings);
    this.feed = createTaskFeed(clock, () => this.#opened.value?.source ?? empty);
    this.#soon = createThrottle(clock, gatherMs, () => {
      const ids = [...this.#changed];
      this.#changed.clear();
      this.#service?.agentsChanged(ids);
    });
  }

  async open(parts: TaskKeys): Promise<void> {
    this.#parts = parts;
    const { ports, problems } = this.#deps;
    if (ports.mode !== 'full' || !this.#exists()) return;
    const opened = await this.service();
    if (opened.ok) problems.clear('tasks');
    else problems.set('tasks', 'error', opened.error);
  }

  async service(): Promise<Result<TaskService>> {
    const parts = this.#parts;
    if (!parts || this.#stopped) return err(locked);
    const opened = await this.#opened.open(() => this.#open(parts));
    return opened.ok ? ok(opened.value.service) : opened;
  }

  async known(): Promise<Result<TaskService | null>> {
    return this.#exists() ? this.service() : ok(null);
  }

  readonly handOut: Tasks['handOut'] = async (work, signal) => {
    const service = await this.service();
    return service.ok ? service.value.handOut(work, signal) : err({ error: service.error, used: noneSpent });
  };

  handedOut(key: string): number | null {
    return despiteStore(() => this.#service?.store.keyed(key)?.id ?? null, null);
  }

  taskOf(agentId: string): number | null {
    return this.#service?.busy().find(({ runner }) => runner === agentId)?.task ?? null;
  }

  ofAgent(agentId: string): AgentTasks {
    const { agents, ports } = this.#deps;
    return createAgentTasks({ agents, clock: ports.clock, tasks: this }, agentId);
  }

  agentChanged(id: string): void {
    if (!this.#service) return;
    this.#service.lifeChanged(id);
    this.#changed.add(id);
    this.#soon.request();
  }

  settingsChanged(): void {
    if (this.#service) this.#service.settingsChanged();
    else this.feed.changed(null);
  }

  decided(approval: Approval): void {
    if (approval.state !== 'waiting') this.#service?.decided(approval.id);
  }

  runChanged(run: string, over: () => boolean): void {
    this.#service?.held.changed(run, over);
  }

  runsOpened(over: (run: string) => boolean): void {
    this.#over = over;
    this.#service?.held.lookAgain(over);
  }

  async heed(agentId: string, message: StoredMessage): Promise<boolean> {
    const { agents, ports } = this.#deps;
    try {
      const service = await this.service();
      const { heedMessage } = await import('./chat-tasks.ts');
      return await heedMessage({ agents, service }, agentId, message);
    } catch (error) {
      ports.log.error('task_not_heeded', { agent: agentId, error: String(error) });
      return false;
    }
  }

  async leave(): Promise<void> {
    this.#stopped = true;
    await this.#opened.settled();
    await this.#service?.leave();
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    this.#soon.cancel();
    await this.#opened.settled();
    await this.#service?.stop(graceMs);
    this.feed.stop();
    this.#forget();
  }

  async erase(): Promise<Result<void>> {
    await this.#opened.settled();
    await this.#service?.stop(0);
    this.#forget();
    return this.#deps.opener.erase();
  }

  #forget(): void {
    this.#opened.clear();
    this.#interrupted.stop();
  }

  #exists(): boolean {
    return this.#service !== null || this.#deps.opener.exists();
  }

  get #service(): TaskService | null {
    return this.#opened.value?.service ?? null;
  }

  async #open(parts: TaskKeys): Promise<Result<OpenTasks>> {
    const { createTaskSource } = await import('./task-source.ts');
    const start = await this.#deps.opener.load(parts);
    if (!start.ok) return start;
    const service = start.value((task) => {
      this.feed.changed(task);
      this.#interrupted.changed();
    });
    if (!service.ok) return service;
    return ok({ service: service.value, source: createTaskSource(this.#deps, service.value) });
  }

  #onOpened({ service }: OpenTasks): void {
    this.#interrupted.changed();
    if (this.#over) service.held.lookAgain(this.#over);
    this.feed.changed(null);
  }
}
