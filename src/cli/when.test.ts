import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSpan, readWhen, shownTime } from './when.ts';

// A Wednesday, local time.
const now = new Date(2026, 6, 15, 10, 30, 20).getTime();
const local = (...parts: [number, number, number, number, number]): number => new Date(...parts).getTime();
const at = (text: string) => readWhen(text, now);

describe('Times typed by users', () => {
  it('accept dates, in local time without a zone', () => {
    expect(at('2026-12-24T18:00')).toBe(local(2026, 11, 24, 18, 0));
    expect(at('2026-12-24 18:00')).toBe(local(2026, 11, 24, 18, 0));
    expect(at('2026-12-24')).toBe(local(2026, 11, 24, 0, 0));
    expect(at('2026-12-24T18:00:00Z')).toBe(Date.UTC(2026, 11, 24, 18));
    expect(at('2026-12-24T18:00+0230')).toBe(Date.UTC(2026, 11, 24, 15, 30));
  });
  it('accept spans from now', () => {
    expect(at('in 2h')).toBe(now + 7_200_000);
    expect(at('in 90 min')).toBe(now + 5_400_000);
    expect(at('+ 1.5 hours')).toBe(now + 5_400_000);
    expect(at('In 3 Days')).toBe(now + 3 * 86_400_000);
    expect([readSpan('10s'), readSpan('2 weeks'), readSpan('5 x')]).toEqual([10_000, 1_209_600_000, null]);
    expect(at('now')).toBe(now);
  });
  it('accept days with or without a time, and times with or without a day', () => {
    expect(at('tomorrow 9:00')).toBe(local(2026, 6, 16, 9, 0));
    expect(at('tomorrow at 5pm')).toBe(local(2026, 6, 16, 17, 0));
    expect(at('tomorrow')).toBe(local(2026, 6, 16, 9, 0));
    expect(at('monday 8:30')).toBe(local(2026, 6, 20, 8, 30));
    expect(at('wed 8:30')).toBe(local(2026, 6, 22, 8, 30));
    expect(at('today 12:15')).toBe(local(2026, 6, 15, 12, 15));
    expect(at('12am')).toBe(local(2026, 6, 16, 0, 0));
    expect([at('11:00'), at('9:00')]).toEqual([local(2026, 6, 15, 11, 0), local(2026, 6, 16, 9, 0)]);
  });
  it('are refused if ambiguous or invalid', () => {
    const nonsense = ['', 'soon', '9', '24:00', '13pm', '0am', '9:60', '2026-06-31', '2026-13-01', 'today'];
    for (const text of [
      ...nonsense,
      'in',
      'in two hours',
      'tomorrow 9',
      'tomorrow 9:00 sharp',
      '2026-01-01T25:00',
    ])
      expect([text, at(text)]).toEqual([text, null]);
  });
  it('parse what the app displays, and never throw', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000_000_000 }), (minute) => {
        const time = Math.floor(minute / 60) * 60 * 1_000;
        // An hour that daylight saving repeats is displayed the same both times.
        expect([time, time - 3_600_000, time + 3_600_000]).toContain(readWhen(shownTime(time), 0));
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) =>
        [null, 'number'].includes(at(text) === null ? null : typeof at(text)),
      ),
    );
  });
});
