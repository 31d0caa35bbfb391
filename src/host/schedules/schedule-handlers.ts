import { isDeepStrictEqual } from 'node:util';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { ScheduleView } from '../../contract/schedule-methods.ts';
import type { Clock, Random } from '../../core/ports.ts';
import { newFileState } from '../../core/tasks/file-trigger.ts';
import { newResourceState } from '../../core/tasks/resource-trigger.ts';
import { rescheduled, type ScheduleRow, type ScheduleStarts } from '../../core/tasks/schedule-row.ts';
import type { Handlers } from '../dispatch.ts';
import type { ScheduleStartsDeps, timing as Timing } from './schedule-input.ts';
import type { ScheduleService } from './schedule-service.ts';
import type { Schedules } from './schedules.ts';

type ScheduleHandlers = Pick<
  Handlers,
  | 'schedules.list'
  | 'schedules.add'
  | 'schedules.set'
  | 'schedules.remove'
  | 'schedules.runNow'
  | 'schedules.putAway'
  | 'schedules.preview'
>;

export interface ScheduleHandlersDeps extends ScheduleStartsDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Pick<Random, 'uuid'>;
  readonly schedules: Pick<Schedules, 'service' | 'known' | 'controlledByAgents'>;
}

const taken = (name: string) =>
  err(
    fail(
      'conflict',
      'schedules.scheduleTaken',
      { name },
      { help: 'schedules.chooseAnotherName', where: 'name' },
    ),
  );
const most = 500;
const tooMany = fail(
  'too_large',
  'schedules.tooManySchedules',
  { n: most },
  { help: 'schedules.removeSchedules' },
);

const input = () => import('./schedule-input.ts');

/** The row after a change; each part is validated as for a new schedule. `starts` is validated already. */
function changed(
  service: ScheduleService,
  before: ScheduleRow,
  change: Parameters<Handlers['schedules.set']>[0],
  {
    now,
    starts,
    timing,
  }: { readonly now: number; readonly starts: ScheduleStarts | null; readonly timing: typeof Timing },
): Result<ScheduleRow> {
  const { name = before.name, catchUp = before.catchUp, enabled = before.enabled } = change;
  if (!service.nameIsFree(name, before.id)) return taken(name);
  const named = { ...before, name, catchUp, starts: starts ?? before.starts };
  const times = change.when === undefined ? ok(null) : timing(change.when, now, service.nextRun);
  if (!times.ok) return times;
  // Unchanged times and files keep their state.
  const same = times.value === null || isDeepStrictEqual(times.value.when, before.when);
  const row = times.value === null || same ? named : rescheduled(named, times.value);
  return ok(change.enabled === undefined ? row : service.setEnabled(row, enabled));
}

const all = (service: Result<ScheduleService | null>): Result<{ schedules: ScheduleView[] }> =>
  service.ok ? ok({ schedules: service.value?.views() ?? [] }) : service;

function one(service: Result<ScheduleService>, id: string): Result<{ schedules: ScheduleView[] }> {
  if (!service.ok) return service;
  const row = service.value.find(id);
  return row.ok ? ok({ schedules: [service.value.view(row.value)] }) : row;
}

export function createScheduleHandlers(deps: ScheduleHandlersDeps): ScheduleHandlers {
  const { clock, random, schedules } = deps;
  /** `work` is synchronous: awaiting would let it overwrite a run that becomes due meanwhile. */
  const withRow = async (
    id: string,
    work: (service: ScheduleService, row: ScheduleRow) => Result<ScheduleRow>,
  ): Promise<Result<ScheduleView>> => {
    const service = await schedules.service();
    if (!service.ok) return service;
    const row = service.value.find(id);
    if (!row.ok) return row;
    const after = work(service.value, row.value);
    return after.ok ? ok(service.value.view(after.value)) : after;
  };
  return {
    'schedules.list': async ({ id }) =>
      id === undefined ? all(await schedules.known()) : one(await schedules.service(), id),
    'schedules.add': async ({ name, when: wantedWhen, catchUp, starts: wanted }) => {
      const { startsFromInput, timing, whenFromInput } = await input();
      const when = whenFromInput(deps, wantedWhen);
      if (!when.ok) return when;
      const starts = await startsFromInput(deps, wanted);
      if (!starts.ok) return starts;
      const service = await schedules.service();
      if (!service.ok) return service;
      if (!service.value.nameIsFree(name)) return taken(name);
      if (service.value.views().length >= most) return err(tooMany);
      const now = clock.now();
      const times = timing(when.value, now, service.value.nextRun);
      if (!times.ok) return times;
      const row: ScheduleRow = {
        id: `s-${random.uuid().slice(0, 8)}`,
        name,
        enabled: true,
        catchUp,
        ...times.value,
        starts: starts.value,
        files: newFileState,
        resource: newResourceState,
        fault: '',
        owed: [],
        lastRun: null,
        createdAt: now,
      };
      service.value.keep(row, null);
      return ok(service.value.view(row));
    },
    'schedules.set': async (change) => {
      const { startsFromInput, timing, whenFromInput } = await input();
      const when = change.when === undefined ? ok(undefined) : whenFromInput(deps, change.when);
      if (!when.ok) return when;
      const starts = change.starts === undefined ? ok(null) : await startsFromInput(deps, change.starts);
      if (!starts.ok) return starts;
      return withRow(change.id, (service, before) => {
        const row = changed(
          service,
          before,
          { ...change, when: when.value },
          { now: clock.now(), starts: starts.value, timing },
        );
        if (row.ok) service.keep(row.value, null);
        return row;
      });
    },
    'schedules.remove': async ({ id }) => {
      const service = await schedules.service();
      if (!service.ok) return service;
      const row = service.value.find(id);
      if (!row.ok) return row;
      service.value.remove(row.value.id);
      return ok({});
    },
    'schedules.runNow': ({ id, missed }) => withRow(id, (service, row) => service.runNow(row, missed)),
    'schedules.putAway': ({ id }) => withRow(id, (service, row) => ok(service.putAway(row))),
    // A preview needs no schedule store.
    'schedules.preview': async ({ expression, timeZone, count }) => {
      const { createNextRun } = await import('../../services/schedules/cron-next.ts');
      const nextRun = createNextRun();
      const next: number[] = [];
      for (let at: number | null = clock.now(); next.length < count; ) {
        const found = nextRun({ kind: 'cron', expression, timeZone }, at);
        if (!found.ok) return found;
        if (found.value === null) break;
        at = found.value;
        next.push(at);
      }
      return ok({ next });
    },
  };
}
