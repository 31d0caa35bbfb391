import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import type { FeedSink, HostApi } from '../../contract/host-api.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { SchedulesView } from '../../contract/schedule-methods.ts';
import { OpenOnce } from '../../core/lib/open-once.ts';
import { despiteStore, orStoreError } from '../../core/lib/store-error.ts';
import { createFeedTopic, type FeedTopic } from '../feed/feed.ts';
import { republish } from '../feed/publish-differences.ts';
import type { HostPorts } from '../host-ports.ts';
import type { Problems } from '../problems.ts';
import type { TaskService } from '../tasks/task-service.ts';
import type { AgentControlDeps } from './agent-control.ts';
import type { HandOver } from './due-runs.ts';
import type { ResourceServers } from './resource-watches.ts';
import type { ScheduleService } from './schedule-service.ts';
import type { ScheduledAgents } from './schedule-view.ts';

/** Scheduled and triggered starts. A host without schedules loads nothing for them. */
export interface Schedules {
  /** Call it once the tasks are readable, and after every reconnect; checks what became due meanwhile. */
  open(): Promise<void>;
  /** Starts workflows through `call` from now on. */
  begin(call: HostApi['call']): void;
  /** Created on first use. */
  service(): Promise<Result<ScheduleService>>;
  /** `null` if no schedule ever existed; creates nothing. */
  known(): Promise<Result<ScheduleService | null>>;
  follow(sink: FeedSink): () => void;
  /** The reason why this workflow must not start unattended, or `null`. */
  controlledByAgents(file: string): Promise<AppError | null>;
  /** Deletes the schedules together with the tasks. */
  forget(): Promise<void>;
  stop(): Promise<void>;
}

const stopping = fail('unavailable', 'host.kennelStopping');
const starting = fail('unavailable', 'schedules.stillStarting');

export interface SchedulesDeps {
  readonly agents: ScheduledAgents;
  readonly control: AgentControlDeps;
  readonly ports: Pick<HostPorts, 'clock' | 'home' | 'log' | 'mode' | 'random'>;
  readonly problems: Problems;
  readonly servers: ResourceServers;
  readonly tasks: {
    /** Creates the store of tasks and schedules if it is missing. */
    service(): Promise<Result<TaskService>>;
    /** `null` if no task ever existed. */
    known(): Promise<Result<TaskService | null>>;
  };
}

export const createSchedules = (deps: SchedulesDeps): Schedules => new HostSchedules(deps);

class HostSchedules implements Schedules {
  readonly #deps: SchedulesDeps;
  #call: HostApi['call'] | null = null;
  readonly #service = new OpenOnce<ScheduleService>();
  #topic: FeedTopic<SchedulesView> | null = null;
  #stopped = false;

  constructor(deps: SchedulesDeps) {
    this.#deps = deps;
  }

  async open(): Promise<void> {
    const { ports, problems } = this.#deps;
    if (this.#service.value || ports.mode !== 'full') return;
    const opened = await this.known();
    if (opened.ok) problems.clear('schedules');
    else problems.set('schedules', 'error', opened.error);
  }

  begin(call: HostApi['call']): void {
    this.#call = call;
    // A later check retries what cannot be read now.
    despiteStore(() => this.#service.value?.handOwed(), undefined);
  }

  async service(): Promise<Result<ScheduleService>> {
    if (this.#stopped) return err(stopping);
    return this.#service.open(() => this.#make());
  }

  async known(): Promise<Result<ScheduleService | null>> {
    if (this.#service.value) return ok(this.#service.value);
    const tasks = await this.#deps.tasks.known();
    if (!tasks.ok) return tasks;
    return orStoreError(async () => {
      const none = !tasks.value || tasks.value.store.schedules.all().length === 0;
      return none ? ok(null) : await this.service();
    });
  }

  follow(sink: FeedSink): () => void {
    const { log } = this.#deps.ports;
    // Fills the topic if schedules exist.
    this.known().catch((error: unknown) => log.error('schedules_not_read', { error }));
    return this.#feed().subscribe(sink);
  }

  async controlledByAgents(file: string): Promise<AppError | null> {
    const { isControlledByAgents } = await import('./agent-control.ts');
    return isControlledByAgents(this.#deps.control, file);
  }

  async forget(): Promise<void> {
    await this.#close();
    if (this.#topic) republish(this.#topic, { schedules: {} });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#close();
    this.#topic?.end();
  }

  async #close(): Promise<void> {
    await this.#service.settled();
    await this.#service.value?.stop();
    this.#service.clear();
  }

  #feed(): FeedTopic<SchedulesView> {
    const { clock } = this.#deps.ports;
    this.#topic ??= createFeedTopic<SchedulesView>({ clock, initial: { schedules: {} } });
    return this.#topic;
  }

  async #make(): Promise<Result<ScheduleService>> {
    const tasks = await this.#deps.tasks.service();
    if (!tasks.ok) return tasks;
    const { ScheduleService } = await import('./schedule-service.ts');
    const topic = this.#feed();
    const { agents, ports, problems, servers } = this.#deps;
    const outside = { workflows: this.#handOver, isRunOver: this.#isRunOver, servers };
    return ok(new ScheduleService({ agents, outside, ports, problems, tasks: tasks.value, topic }));
  }

  /** False while the host does not know yet; the caller asks again. */
  readonly #isRunOver = async (id: string): Promise<boolean> => {
    const got = await this.#call?.({ kind: 'owner-cli' }, 'runs.get', { id });
    if (!got) return false;
    if (!got.ok) return got.error.code === 'not_found';
    return (got.value as MethodOutput<'runs.get'>).run.endedAt !== null;
  };

  readonly #handOver: HandOver = async ({ file, args, key }) => {
    // Checked at each start, because folders and agents change.
    const held = await this.controlledByAgents(file);
    if (held) return err(held);
    if (!this.#call) return err(starting);
    const started = await this.#call({ kind: 'owner-cli' }, 'runs.start', { file, args, key });
    return started.ok ? ok({ id: (started.value as MethodOutput<'runs.start'>).id }) : started;
  };
}
