/**
 * Schedules of each kind: a daily one that was missed, a custom one, a past one, a watch, one with a problem.
 */
import type { ScheduleView } from '../../src/contract/schedule-methods.ts';

const hour = 3_600_000;
const now = Date.now();
/** Rounds down to the minute, as a form does. */
const minuteOf = (at: number): number => at - (at % 60_000);

export const schedule = (id: string, change: Partial<ScheduleView> = {}): ScheduleView => ({
  id,
  name: `Schedule ${id}`,
  enabled: true,
  when: { kind: 'cron', expression: '0 9 * * 1-5', timeZone: 'Europe/Berlin' },
  catchUp: 'show',
  starts: {
    kind: 'task',
    goal: 'Write the morning summary',
    agent: 'guide',
    project: 'wiki',
    priority: 10,
    budget: { steps: 50, tokens: null, usd: 0.5 },
    room: 'ch_general',
  },
  next: now + 14 * hour,
  lastRun: now - 10 * hour,
  missed: [],
  missedCount: 0,
  problem: '',
  ...change,
});

const plain = { steps: null, tokens: null, usd: null };
const water = { kind: 'task', goal: 'Water the plants', agent: null, project: null, priority: 0 } as const;

export const schedules = (): readonly ScheduleView[] => [
  schedule('s1', { name: 'Morning summary', missed: [now - 34 * hour, now - 58 * hour], missedCount: 2 }),
  schedule('s2', {
    name: 'Odd times',
    when: { kind: 'cron', expression: '*/20 8-18 * * *', timeZone: 'UTC' },
    starts: { ...water, budget: plain, room: null },
    catchUp: 'latest',
  }),
  schedule('s3', {
    name: 'Once',
    when: { kind: 'once', at: minuteOf(now - 48 * hour) },
    starts: { ...water, budget: plain, room: null },
    next: null,
  }),
  schedule('s4', {
    name: 'New notes',
    when: { kind: 'file', path: '/home/ada/notes', glob: '**/*.md', restMs: 2_500 },
    starts: { ...water, goal: 'Read {{path}}', budget: plain, room: null },
    next: null,
    lastRun: null,
  }),
  schedule('s5', {
    name: 'Weekly review',
    enabled: false,
    when: { kind: 'cron', expression: '30 17 * * 5', timeZone: 'Europe/Berlin' },
    starts: { kind: 'workflow', file: '/home/ada/.kennel/workflows/review.puppy', args: { week: 3 } },
    problem: 'There is no file review.puppy.',
  }),
];
