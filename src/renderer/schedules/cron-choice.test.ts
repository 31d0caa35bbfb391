import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CronChoice, choiceOf, expressionOf } from './cron-choice.ts';

const hour = fc.integer({ min: 0, max: 23 });
const minute = fc.integer({ min: 0, max: 59 });
const choice: fc.Arbitrary<CronChoice> = fc.oneof(
  fc.record({ often: fc.constant('hourly' as const), minute }),
  fc.record({ often: fc.constantFrom('daily' as const, 'weekdays' as const), hour, minute }),
  fc.record({ often: fc.constant('weekly' as const), hour, minute, day: fc.integer({ min: 0, max: 6 }) }),
  fc.record({ often: fc.constant('monthly' as const), hour, minute, date: fc.integer({ min: 1, max: 31 }) }),
);

describe('Cron choice', () => {
  it('round-trips through its cron expression', () => {
    fc.assert(
      fc.property(choice, (one) => {
        expect(choiceOf(expressionOf(one))).toEqual(one);
      }),
    );
  });

  it('parses extra spaces and 7 as Sunday', () => {
    expect(choiceOf('  0  9  *  *  7 ')).toEqual({ often: 'weekly', hour: 9, minute: 0, day: 0 });
  });

  it('returns null for expressions that the form cannot show', () => {
    const others = ['', '*/5 * * * *', '0 9 * * mon', '0 9 1 * 1', '0 9 * 2 *', '60 9 * * *', '0 24 * * *'];
    for (const text of [
      ...others,
      '0 9 0 * *',
      '0 9 32 * *',
      '0 9 * * 8',
      '0 0 9 * * *',
      '@daily',
      '0 9 * *',
    ])
      expect(choiceOf(text), text).toBeNull();
  });
});
