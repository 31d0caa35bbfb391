/** The schedules of the fake host. */
import { textError } from '../../src/contract/errors.ts';
import type { MethodInput, MethodName } from '../../src/contract/methods.ts';
import { err, ok, type Result } from '../../src/contract/result.ts';
import type { SchedulesView, ScheduleView } from '../../src/contract/schedule-methods.ts';
import type { FakeFeed } from './fake-feed.ts';
import type { Handler } from './fake-host.ts';
import { schedule } from './schedule-data.ts';

const day = 86_400_000;

export class FakeSchedules {
  private readonly feed: FakeFeed;

  constructor(feed: FakeFeed) {
    this.feed = feed;
    this.show([]);
  }

  show(schedules: readonly ScheduleView[]): void {
    const all = Object.fromEntries(schedules.map((one) => [one.id, one]));
    this.feed.put('schedules', { schedules: all } satisfies SchedulesView);
  }

  private read(): Readonly<Record<string, ScheduleView>> {
    return this.feed.read<SchedulesView>('schedules').schedules;
  }

  private put(one: ScheduleView): Result<ScheduleView> {
    this.feed.patch('schedules', { op: 'set', path: ['schedules', one.id], value: one });
    return ok(one);
  }

  table(): Partial<Record<MethodName, Handler>> {
    return {
      'schedules.add': (input: MethodInput<'schedules.add'>) =>
        this.put(
          schedule(`new${Object.keys(this.read()).length}`, { ...input, lastRun: null } as ScheduleView),
        ),
      'schedules.set': ({ id, ...change }: MethodInput<'schedules.set'>) =>
        this.put({ ...this.read()[id], ...change } as ScheduleView),
      'schedules.remove': ({ id }: { id: string }) => {
        this.feed.patch('schedules', { op: 'delete', path: ['schedules', id] });
        return ok({});
      },
      'schedules.runNow': ({ id }: { id: string }) =>
        this.put({ ...this.read()[id], missed: [], missedCount: 0, lastRun: Date.now() } as ScheduleView),
      'schedules.putAway': ({ id }: { id: string }) =>
        this.put({ ...this.read()[id], missed: [], missedCount: 0 } as ScheduleView),
      'schedules.preview': ({ expression, count = 5 }: MethodInput<'schedules.preview'>) =>
        expression.trim().split(/\s+/).length === 5
          ? ok({ next: Array.from({ length: count }, (_, index) => Date.UTC(2026, 4, 4, 7) + index * day) })
          : err(textError('invalid_input', `"${expression}" is no cron expression.`)),
    };
  }
}
