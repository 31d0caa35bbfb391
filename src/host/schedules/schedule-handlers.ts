import { isDeepStrictEqual } from 'node:util';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { ScheduleView } from '../../contract/schedule-methods.ts';
import { newFileState } from '../../core/tasks/file-trigger.ts';
import { rescheduled, type ScheduleRow, type ScheduleStarts } from '../../core/tasks/schedule-row.ts';
import type { HostContext } from '../context.ts';
import type { Handlers } from '../dispatch.ts';
import type { timing as Timing } from './schedule-input.ts';
import type { ScheduleRoom } from './schedule-room.ts';

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

const taken = (name: string) =>
  err(
    appError('conflict', `There is a schedule "${name}" already.`, {
      hint: 'Choose another name, or change that one.',
      where: 'name',
    }),
  );
const most = 500;
const tooMany = appError('too_large', `There are ${most} schedules already.`, {
  hint: 'Remove some that are no longer needed.',
});

const input = () => import('./schedule-input.ts');

/** The row after a change; each part is validated as for a new schedule. `starts` is validated already. */
function changed(
  context: HostContext,
  room: ScheduleRoom,
  before: ScheduleRow,
  change: Parameters<Handlers['schedules.set']>[0],
  { starts, timing }: { readonly starts: ScheduleStarts | null; readonly timing: typeof Timing },
): Result<ScheduleRow> {
  const { name = before.name, catchUp = before.catchUp, enabled = before.enabled } = change;
  if (!room.nameIsFree(name, before.id)) return taken(name);
  const named = { ...before, name, catchUp, starts: starts ?? before.starts };
  const times =
    change.when === undefined ? ok(null) : timing(change.when, context.ports.clock.now(), room.nextRun);
  if (!times.ok) return times;
  // Unchanged times and files keep their state.
  const same = times.value === null || isDeepStrictEqual(times.value.when, before.when);
  const row = times.value === null || same ? named : rescheduled(named, times.value);
  return ok(change.enabled === undefined ? row : room.setEnabled(row, enabled));
}

const all = (room: Result<ScheduleRoom | null>): Result<{ schedules: ScheduleView[] }> =>
  room.ok ? ok({ schedules: room.value?.views() ?? [] }) : room;

function one(room: Result<ScheduleRoom>, id: string): Result<{ schedules: ScheduleView[] }> {
  if (!room.ok) return room;
  const row = room.value.find(id);
  return row.ok ? ok({ schedules: [room.value.view(row.value)] }) : row;
}

export function createScheduleHandlers(context: HostContext): ScheduleHandlers {
  const { schedules, ports } = context;
  /** `work` is synchronous: awaiting would let it overwrite a run that becomes due meanwhile. */
  const withRow = async (
    id: string,
    work: (room: ScheduleRoom, row: ScheduleRow) => Result<ScheduleRow>,
  ): Promise<Result<ScheduleView>> => {
    const room = await schedules.room();
    if (!room.ok) return room;
    const row = room.value.find(id);
    if (!row.ok) return row;
    const after = work(room.value, row.value);
    return after.ok ? ok(room.value.view(after.value)) : after;
  };
  return {
    'schedules.list': async ({ id }) =>
      id === undefined ? all(await schedules.known()) : one(await schedules.room(), id),
    'schedules.add': async ({ name, when, catchUp, starts: wanted }) => {
      const { startsOf, timing } = await input();
      const starts = await startsOf(context, wanted);
      if (!starts.ok) return starts;
      const room = await schedules.room();
      if (!room.ok) return room;
      if (!room.value.nameIsFree(name)) return taken(name);
      if (room.value.views().length >= most) return err(tooMany);
      const now = ports.clock.now();
      const times = timing(when, now, room.value.nextRun);
      if (!times.ok) return times;
      const row: ScheduleRow = {
        id: `s-${ports.random.uuid().slice(0, 8)}`,
        name,
        enabled: true,
        catchUp,
        ...times.value,
        starts: starts.value,
        files: newFileState,
        fault: '',
        owed: [],
        lastRun: null,
        createdAt: now,
      };
      room.value.keep(row, null);
      return ok(room.value.view(row));
    },
    'schedules.set': async (change) => {
      const { startsOf, timing } = await input();
      const starts = change.starts === undefined ? ok(null) : await startsOf(context, change.starts);
      if (!starts.ok) return starts;
      return withRow(change.id, (room, before) => {
        const row = changed(context, room, before, change, { starts: starts.value, timing });
        if (row.ok) room.keep(row.value, null);
        return row;
      });
    },
    'schedules.remove': async ({ id }) => {
      const room = await schedules.room();
      if (!room.ok) return room;
      const row = room.value.find(id);
      if (!row.ok) return row;
      room.value.remove(row.value.id);
      return ok({});
    },
    'schedules.runNow': ({ id, missed }) => withRow(id, (room, row) => room.runNow(row, missed)),
    'schedules.putAway': ({ id }) => withRow(id, (room, row) => ok(room.putAway(row))),
    // A preview needs no schedule store.
    'schedules.preview': async ({ expression, timeZone, count }) => {
      const { createNextRun } = await import('../../services/schedules/cron-next.ts');
      const nextRun = createNextRun();
      const next: number[] = [];
      for (let at: number | null = ports.clock.now(); next.length < count; ) {
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
