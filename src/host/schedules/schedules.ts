import { appError } from '../../contract/errors.ts';
import type { FeedSink, HostApi } from '../../contract/host-api.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { SchedulesView } from '../../contract/schedule-methods.ts';
import { despiteStore, StoreError } from '../../core/lib/store-error.ts';
import type { HostContext } from '../context.ts';
import { createFeedTopic, type FeedTopic } from '../feed.ts';
import { republish } from '../republish.ts';
import type { HandOver } from './due-runs.ts';
import type { ScheduleRoom } from './schedule-room.ts';

/** Scheduled and triggered starts. A host without schedules loads nothing for them. */
export interface Schedules {
  /** Call it once the tasks are readable, and after every reconnect; checks what became due meanwhile. */
  open(): Promise<void>;
  /** Starts workflows through `call` from now on. */
  begin(call: HostApi['call']): void;
  /** Created on first use. */
  room(): Promise<Result<ScheduleRoom>>;
  /** `null` if no schedule ever existed; creates nothing. */
  known(): Promise<Result<ScheduleRoom | null>>;
  follow(sink: FeedSink): () => void;
  /** Deletes the schedules together with the tasks. */
  forget(): Promise<void>;
  stop(): Promise<void>;
}

const stopping = appError('unavailable', 'Kennel is stopping.');
const starting = appError('unavailable', 'Kennel has not started everything yet.');

export function createSchedules(context: () => HostContext): Schedules {
  return new HostSchedules(context);
}

class HostSchedules implements Schedules {
  readonly #context: () => HostContext;
  #call: HostApi['call'] | null = null;
  #opening: Promise<Result<ScheduleRoom>> | null = null;
  #room: ScheduleRoom | null = null;
  #topic: FeedTopic<SchedulesView> | null = null;
  #stopped = false;

  constructor(context: () => HostContext) {
    this.#context = context;
  }

  async open(): Promise<void> {
    if (this.#room || this.#context().ports.mode !== 'full') return;
    const { problems } = this.#context();
    const opened = await this.known();
    if (opened.ok) problems.clear('schedules');
    else problems.set('schedules', 'error', opened.error);
  }

  begin(call: HostApi['call']): void {
    this.#call = call;
    // A later check retries what cannot be read now.
    despiteStore(() => this.#room?.handOwed(), undefined);
  }

  async room(): Promise<Result<ScheduleRoom>> {
    if (this.#stopped) return err(stopping);
    this.#opening ??= this.#make();
    const opened = await this.#opening;
    // The next call retries a failed opening.
    if (!opened.ok) this.#opening = null;
    return opened;
  }

  async known(): Promise<Result<ScheduleRoom | null>> {
    if (this.#room) return ok(this.#room);
    const tasks = await this.#context().tasks.known();
    if (!tasks.ok) return tasks;
    try {
      const none = !tasks.value || tasks.value.store.schedules.all().length === 0;
      return none ? ok(null) : await this.room();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return err(error.toAppError());
    }
  }

  follow(sink: FeedSink): () => void {
    const { log } = this.#context().ports;
    // Fills the topic if schedules exist.
    this.known().catch((error: unknown) => log.error('schedules_not_read', { error }));
    return this.#feed().subscribe(sink);
  }

  async forget(): Promise<void> {
    await this.#close();
    if (this.#topic) republish(this.#topic, { schedules: {} });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#close();
    this.#topic?.end('the host is stopping');
  }

  async #close(): Promise<void> {
    await this.#opening;
    await this.#room?.stop();
    this.#room = null;
    this.#opening = null;
  }

  #feed(): FeedTopic<SchedulesView> {
    const { clock } = this.#context().ports;
    this.#topic ??= createFeedTopic<SchedulesView>({ clock, initial: { schedules: {} } });
    return this.#topic;
  }

  async #make(): Promise<Result<ScheduleRoom>> {
    const tasks = await this.#context().tasks.room();
    if (!tasks.ok) return tasks;
    const { ScheduleRoom } = await import('./schedule-room.ts');
    try {
      this.#room = new ScheduleRoom({
        context: this.#context,
        tasks: tasks.value,
        topic: this.#feed(),
        handOver: this.#handOver,
      });
      return ok(this.#room);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return err(error.toAppError());
    }
  }

  readonly #handOver: HandOver = async ({ file, args, key }) => {
    const { isControlledByAgents } = await import('./agent-control.ts');
    // Checked at each start, because folders and agents change.
    const held = await isControlledByAgents(this.#context(), file);
    if (held) return err(held);
    return this.#call ? this.#call({ kind: 'owner-cli' }, 'runs.start', { file, args, key }) : err(starting);
  };
}
