import { describe, expect, it } from 'vitest';
import { quietSpanSchema } from './notification-settings.ts';
import { isQuiet } from './quiet-hours.ts';

/** Local times of a week: 2026-11-22 is a Sunday. */
const at = (day: number, time: string): Date => new Date(`2026-11-${22 + day}T${time}:00`);

describe('Quiet hours', () => {
  const week = { quietHours: { mon: '22:00-07:00', sat: '09:00-12:00' } } as const;

  it.each([
    [1, '21:59', false],
    [1, '22:00', true],
    [2, '00:00', true],
    [2, '06:59', true],
    [2, '07:00', false],
    [1, '06:00', false], // Sunday has none
    [6, '08:59', false],
    [6, '09:00', true],
    [6, '12:00', false],
    [0, '10:00', false],
  ])('on day %i at %s: %s', (day, time, quiet) => expect(isQuiet(week, at(day, time))).toBe(quiet));

  it('of Saturday reach into Sunday', () =>
    expect(isQuiet({ quietHours: { sat: '23:00-01:00' } }, at(0, '00:30'))).toBe(true));

  it.each(['22:00', '24:00-07:00', '22:00-7:00', '22:00-22:00', 'x'])('are not %j', (text) =>
    expect(quietSpanSchema.safeParse(text).success).toBe(false),
  );
});
