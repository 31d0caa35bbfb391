import { didYouMean } from '../../contract/did-you-mean.ts';
import { appError, messageOf } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { SchedulesView, ScheduleView } from '../../contract/schedule-methods.ts';
import { despiteStore, StoreError } from '../../core/lib/store-error.ts';
import type { Timer } from '../../core/ports.ts';
import { letGoOn } from '../../core/tasks/file-trigger.ts';
import { resourceKey, seenAnew } from '../../core/tasks/resource-trigger.ts';
import { putMissedAway } from '../../core/tasks/schedule.ts';
import {
  handedOver,
  lookAtSchedule,
  runMissedNow,
  type ScheduleRow,
  scheduledStart,
} from '../../core/tasks/schedule-row.ts';
import { hasTaskEnded, type TaskBody } from '../../core/tasks/task.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { createNextRun } from '../../services/schedules/cron-next.ts';
import type { FeedTopic } from '../feed/feed.ts';
import { republish } from '../feed/publish-differences.ts';
import type { HostPorts } from '../host-ports.ts';
import type { Problems } from '../problems.ts';
import type { TaskService } from '../tasks/task-service.ts';
import { type HandOver, OwedRuns } from './due-runs.ts';
import { type ResourceServers, ResourceWatches } from './resource-watches.ts';
import { type ScheduledAgents, scheduleView } from './schedule-view.ts';
import { TriggerWatches } from './trigger-watches.ts';

/**
 * Maximum ms between checks: timers use elapsed time, but the wall clock may jump and the machine may sleep.
 */
const lookMs = 30_000;

export interface ScheduleServiceDeps {
  readonly agents: ScheduledAgents;
  /** Workflows and servers: outside the store of tasks. */
  readonly outside: {
    readonly workflows: HandOver;
    /** The run has ended, or does not exist. */
    readonly isRunOver: (id: string) => Promise<boolean>;
    readonly servers: ResourceServers;
  };
  readonly ports: Pick<HostPorts, 'clock' | 'home' | 'log' | 'random'>;
  readonly problems: Problems;
  readonly tasks: Pick<TaskService, 'store' | 'changed' | 'wake'>;
  readonly topic: FeedTopic<SchedulesView>;
}

/** Runs the schedules: checks clock and files, and creates tasks and runs that are due. */
export class ScheduleService {
  readonly nextRun = createNextRun();
  readonly #deps: ScheduleServiceDeps;
  readonly #watches: TriggerWatches;
  readonly #resources: ResourceWatches;
  readonly #owed: OwedRuns;
  #timer: Timer | null = null;
  #lastLook = 0;
  #stopped = false;

  constructor(deps: ScheduleServiceDeps) {
    this.#deps = deps;
    const { ports, problems } = deps;
    this.#watches = new TriggerWatches({
      ports,
      row: (id) => this.#store.row(id),
      keep: (row, task) => this.keep(row, task),
      onHeld: ({ id, name }, text) =>
        problems.set(`schedule-${id}`, 'warning', { message: say('host.about', { name, why: text }) }),
      onProblem: (id) => this.#publish(this.#store.row(id), id),
    });
    this.#resources = new ResourceWatches({
      ports,
      servers: deps.outside.servers,
      row: (id) => this.#store.row(id),
      keep: (row, task) => this.keep(row, task),
      isBusy: (row) => this.#isBusy(row),
      onProblem: (id) => this.#publish(this.#store.row(id), id),
    });
    this.#owed = new OwedRuns({
      handOver: deps.outside.workflows,
      log: ports.log,
      row: (id) => this.#store.row(id),
      done: (id, key, end) => this.#handed(id, key, end),
      onLeft: () => this.#arm(),
    });
    this.#look('all');
    for (const row of this.#store.all()) this.#tend(row.id, row);
    this.#publishAll();
  }

  get #store() {
    return this.#deps.tasks.store.schedules;
  }

  views(): ScheduleView[] {
    return this.#store.all().map((row) => this.view(row));
  }

  view(row: ScheduleRow): ScheduleView {
    return scheduleView(
      this.#deps.agents,
      row,
      this.#watches.problem(row.id) || this.#resources.problem(row.id),
    );
  }

  find(wanted: string): Result<ScheduleRow> {
    const all = this.#store.all();
    const row = this.#store.row(wanted) ?? all.find(({ name }) => name === wanted);
    if (row) return ok(row);
    const near = didYouMean(
      wanted,
      all.flatMap(({ id, name }) => [name, id]),
    );
    const hint =
      near === null ? say('schedules.listSchedules') : say('host.didYouMeanQuoted', { name: near });
    return err(appError('not_found', say('schedules.unknownSchedule', { name: wanted }), { hint }));
  }

  nameIsFree(name: string, id = ''): boolean {
    return !this.#store.all().some((row) => row.name === name && row.id !== id);
  }

  /** Saves the row together with its due task, then wakes the workers. */
  keep(row: ScheduleRow, task: TaskBody | null): void {
    const added = this.#store.keep(row, task);
    if (added?.isNew) {
      this.#deps.tasks.changed(added.task.id);
      this.#deps.tasks.wake();
    }
    this.#tend(row.id, row);
    this.#publish(row, row.id);
    this.#owed.offer(row);
    this.#arm();
  }

  /** A held trigger continues from the files present at that time. */
  setEnabled(row: ScheduleRow, enabled: boolean): ScheduleRow {
    if (enabled) this.#deps.problems.clear(`schedule-${row.id}`);
    if (!enabled) return { ...row, enabled };
    return { ...row, enabled, files: letGoOn(row.files), resource: seenAnew(row.resource) };
  }

  remove(id: string): void {
    this.#deps.problems.clear(`schedule-${id}`);
    this.#store.remove(id);
    this.#tend(id, null);
    this.#publish(null, id);
    this.#arm();
  }

  runNow(row: ScheduleRow, missed: number | undefined): Result<ScheduleRow> {
    const { clock, random } = this.#deps.ports;
    const now = clock.now();
    if (missed !== undefined) {
      const look = runMissedNow(row, missed, now);
      if (!look.ok) return look;
      this.keep(look.value.row, look.value.task);
      return ok(this.#store.row(row.id) ?? look.value.row);
    }
    const path = row.when.kind === 'file' ? row.when.path : null;
    const key = `schedule:${row.id}:now:${random.uuid()}`;
    const begun = scheduledStart(row, { key, at: now, path, change: null }, now);
    this.keep(begun.row, begun.task);
    return ok(begun.row);
  }

  putAway(row: ScheduleRow): ScheduleRow {
    const next = { ...row, state: putMissedAway(row.state) };
    this.keep(next, null);
    return next;
  }

  /** Call it once workflows can be started. */
  handOwed(): void {
    for (const row of this.#store.all()) this.#owed.offer(row);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    // Runs that end meanwhile are saved and update their watch.
    await this.#owed.stop();
    this.#watches.stop();
    await this.#resources.stop();
  }

  /** `all` at startup and after the clock was set back, when stored times do not tell what is due. */
  #look(which: 'all' | 'due'): void {
    const { problems, ports } = this.#deps;
    const { clock, log } = ports;
    const now = clock.now();
    const back = now < this.#lastLook;
    this.#lastLook = now;
    try {
      const rows = which === 'all' || back ? this.#store.all() : this.#store.due(now);
      for (const row of rows) this.#lookAt(row, now);
      this.handOwed();
      problems.clear('schedules');
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      log.warn('schedules_not_kept', { code: error.code });
      problems.set('schedules', 'error', {
        message: say('schedules.notKept', { why: messageOf(error.toAppError()) }),
      });
    }
    this.#arm();
  }

  #lookAt(row: ScheduleRow, now: number): void {
    const look = lookAtSchedule(row, now, this.nextRun);
    if (!look.ok) {
      // For example a time zone that this computer no longer knows.
      this.keep({ ...row, fault: messageOf(look.error), state: { ...row.state, next: null } }, null);
      return;
    }
    const { row: next, task } = look.value;
    const same = (one: ScheduleRow): string => JSON.stringify({ ...one, state: { ...one.state, seenAt: 0 } });
    // A check is saved only if it changed something, or after the clock was set back.
    if (task === null && same(next) === same(row) && now >= row.state.seenAt) return;
    this.keep(next, task);
  }

  #handed(id: string, key: string, end: { readonly fault: HostText; readonly run: string | null }): void {
    const row = this.#store.row(id);
    if (!row) return;
    this.keep(handedOver(row, key, end), null);
  }

  #tend(id: string, row: ScheduleRow | null): void {
    this.#watches.tend(id, row);
    this.#resources.tend(id, row);
  }

  /** The task or run of the newest change has not ended. */
  async #isBusy({ id, resource, owed, starts }: ScheduleRow): Promise<boolean> {
    const { tasks, outside } = this.#deps;
    if (owed.length > 0) return true;
    if (starts.kind === 'workflow') return resource.run !== null && !(await outside.isRunOver(resource.run));
    const task = tasks.store.keyed(resourceKey(id, resource.started));
    return task !== null && !hasTaskEnded(task);
  }

  #arm(): void {
    this.#timer?.cancel();
    if (this.#stopped) return;
    const { clock } = this.#deps.ports;
    // A store that fails is asked again at the next check.
    const ms = despiteStore(() => this.#untilNext(clock.now()), lookMs);
    if (ms !== null) this.#timer = clock.after(ms, () => this.#look('due'), { unref: true });
  }

  /** ms until the next check, or `null` if nothing is due or waiting. */
  #untilNext(now: number): number | null {
    const next = this.#store.next();
    if (next !== null) return Math.min(lookMs, Math.max(0, next - now));
    return this.#owed.waiting() ? lookMs : null;
  }

  #publish(row: ScheduleRow | null, id: string): void {
    const { [id]: _, ...others } = this.#deps.topic.state().schedules;
    republish(this.#deps.topic, { schedules: row ? { ...others, [id]: this.view(row) } : others }, 2);
  }

  #publishAll(): void {
    const views = this.views();
    republish(this.#deps.topic, { schedules: Object.fromEntries(views.map((view) => [view.id, view])) }, 2);
  }
}
