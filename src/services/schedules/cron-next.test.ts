import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNextRun } from './cron-next.ts';

const nextRun = createNextRun();
const minute = 60_000;
const berlin = 'Europe/Berlin';

function series(expression: string, timeZone: string, from: string, count: number): string[] {
  const all: string[] = [];
  for (let at = Date.parse(from); all.length < count; ) {
    const next = nextRun({ kind: 'cron', expression, timeZone }, at);
    if (!next.ok) throw new Error(next.error.message);
    if (next.value === null) break;
    at = next.value;
    all.push(new Date(at).toISOString().slice(0, 16));
  }
  return all;
}

const fault = (expression: string, timeZone = 'UTC'): string => {
  const next = nextRun({ kind: 'cron', expression, timeZone }, 0);
  return next.ok ? 'fine' : next.error.message;
};

describe('Cron expressions', () => {
  it('are due strictly after the given time, in their time zone', () => {
    expect(series('0 9 * * 1-5', berlin, '2026-07-03T06:00:00Z', 3)).toEqual([
      '2026-07-03T07:00',
      '2026-07-06T07:00',
      '2026-07-07T07:00',
    ]);
    expect(series('0 9 * * *', 'Asia/Kolkata', '2026-07-03T03:30:00Z', 1)).toEqual(['2026-07-04T03:30']);
    expect(series('@daily', 'UTC', '2026-07-03T00:00:00Z', 1)).toEqual(['2026-07-04T00:00']);
  });
  it('run at the first moment after a DST gap, and once in a repeated hour', () => {
    expect(series('30 2 * * *', berlin, '2026-03-27T12:00:00Z', 3)).toEqual([
      '2026-03-28T01:30',
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ]);
    expect(series('30 2 * * *', berlin, '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ]);
    // A gap gives one run, however many times are in it.
    expect(series('*/15 2 * * *', berlin, '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:00',
      '2026-03-30T00:00',
    ]);
  });
  it('run hourly by elapsed time across DST changes', () => {
    expect(series('30 * * * *', berlin, '2026-10-24T23:00:00Z', 4)).toEqual([
      '2026-10-24T23:30',
      '2026-10-25T00:30',
      '2026-10-25T01:30',
      '2026-10-25T02:30',
    ]);
    expect(series('30 * * * *', berlin, '2026-03-29T00:00:00Z', 2)).toEqual([
      '2026-03-29T00:30',
      '2026-03-29T01:30',
    ]);
  });
  it('handle a day skipped by a time zone, and half-hour shifts', () => {
    expect(series('0 12 * * *', 'Pacific/Apia', '2011-12-29T22:30:00Z', 2)).toEqual([
      '2011-12-30T10:00',
      '2011-12-30T22:00',
    ]);
    expect(series('45 1 * * *', 'Australia/Lord_Howe', '2026-04-03T20:00:00Z', 2)).toEqual([
      '2026-04-04T14:45',
      '2026-04-05T15:15',
    ]);
  });
  it('return no date if never due, and a reason if invalid', () => {
    expect(series('0 0 30 2 *', 'UTC', '2026-01-01T00:00:00Z', 1)).toEqual([]);
    expect(series('0 0 29 2 *', 'UTC', '2026-01-01T00:00:00Z', 1)).toEqual(['2028-02-29T00:00']);
    expect(fault('* * * *')).toContain('five fields');
    expect(fault('0 0 * * * *')).toContain('leave the one for seconds out');
    expect(fault('0 0 * * * * 2027')).toContain('five fields');
    expect(fault('61 * * * *')).toContain('no cron expression');
    expect(fault('@reboot')).toContain('no cron expression');
    expect(fault('')).toContain('five fields');
    expect(fault('* * * * *', 'Mars/Olympus')).toContain('no time zone "Mars/Olympus"');
  });
  it('match a minute-by-minute reference clock', () => {
    const field = (from: number, to: number) =>
      fc.oneof(
        fc.constant('*'),
        fc.integer({ min: from, max: to }).map(String),
        fc
          .tuple(fc.integer({ min: from, max: to }), fc.integer({ min: from, max: to }))
          .map(([a, b]) => `${a},${b}`),
        fc.integer({ min: 2, max: 20 }).map((step) => `*/${step}`),
      );
    const zones = [
      berlin,
      'America/New_York',
      'Australia/Lord_Howe',
      'UTC',
      'Asia/Kolkata',
      'America/St_Johns',
    ];
    const starts = [
      '2026-03-08',
      '2026-03-29',
      '2026-10-25',
      '2026-11-01',
      '2026-04-05',
      '2026-10-04',
      '2026-06-01',
    ];
    fc.assert(
      fc.property(
        fc.record({
          minutes: field(0, 59),
          hours: fc.oneof(field(0, 23), fc.constantFrom('1', '2', '3', '1,2')),
          zone: fc.constantFrom(...zones),
          start: fc.constantFrom(...starts),
        }),
        ({ minutes, hours, zone, start }) => {
          const from = Date.parse(`${start}T00:00:00Z`) - 12 * 60 * minute;
          const to = from + 36 * 60 * minute;
          const expected = watched(minutes, hours, zone, from, to);
          const found: number[] = [];
          for (let at = from; ; ) {
            const next = nextRun(
              { kind: 'cron', expression: `${minutes} ${hours} * * *`, timeZone: zone },
              at,
            );
            if (!next.ok || next.value === null || next.value > to) break;
            at = next.value;
            found.push(at);
          }
          expect(found).toEqual(expected);
        },
      ),
      { numRuns: 80 },
    );
  });
});

const fitsField = (field: string, value: number): boolean => {
  if (field === '*') return true;
  const step = /^\*\/(\d+)$/.exec(field);
  return step ? value % Number(step[1]) === 0 : field.split(',').map(Number).includes(value);
};

/**
 * A brute-force reference: the wall time of that zone at each minute, and the minutes it skipped since the
 * last one.
 */
function watched(minutes: string, hours: string, timeZone: string, from: number, to: number): number[] {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
    day: '2-digit',
  });
  const shown = (at: number) => {
    const parts = Object.fromEntries(
      format.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
    );
    return { day: Number(parts.day), of: Number(parts.hour) * 60 + Number(parts.minute) };
  };
  const due = (of: number): boolean => fitsField(hours, Math.floor(of / 60)) && fitsField(minutes, of % 60);
  const seen = new Set<string>();
  const all: number[] = [];
  // Starts some hours earlier, so that a repeated time is recognised.
  let before = shown(from - 3 * 60 * minute - minute);
  for (let at = from - 3 * 60 * minute; at <= to; at += minute) {
    const now = shown(at);
    const steps = (now.of - before.of + 1_440) % 1_440;
    const jumped =
      steps > 1 && steps < 720
        ? Array.from({ length: steps - 1 }, (_, n) => (before.of + 1 + n) % 1_440)
        : [];
    const name = `${now.day}:${now.of}`;
    const again = seen.has(name) && hours !== '*';
    const missed = hours !== '*' && jumped.some(due);
    if (at > from && ((due(now.of) && !again) || missed)) all.push(at);
    seen.add(name);
    before = now;
  }
  return all;
}
