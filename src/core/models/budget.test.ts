import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seed } from '../../../test/fakes/test-run.ts';
import { type BudgetLimits, type BudgetScope, checkBudget, limitUses, noLimits, raisable } from './budget.ts';

const nothing = { tokens: 0, usd: 0, simulatedUsd: 0 };
const plus = (a: typeof nothing, b: typeof nothing) => ({
  tokens: a.tokens + b.tokens,
  usd: a.usd + b.usd,
  simulatedUsd: a.simulatedUsd + b.simulatedUsd,
});
const scope = (limits: Partial<BudgetLimits>, day = nothing, month = day): BudgetScope => ({
  scope: 'agent',
  limits: { ...noLimits, ...limits },
  day,
  month,
});

describe('Budgets', () => {
  it('warns at 80 % and stops at 100 %', () => {
    const at = (usd: number) => limitUses([scope({ usdPerDay: 10 }, { ...nothing, usd })])[0]?.state;
    expect([0, 7.99, 8, 9.99, 10, 11].map(at)).toEqual(['fine', 'fine', 'warn', 'warn', 'stop', 'stop']);
    expect(checkBudget([scope({ usdPerDay: 10 }, { ...nothing, usd: 10 })], 'known')).toMatchObject({
      type: 'used_up',
      by: { limit: 'usdPerDay', used: 10, max: 10 },
    });
  });
  it('treat a limit of 0 as used up', () => {
    expect(checkBudget([scope({ tokensPerDay: 0 })], 'known').type).toBe('used_up');
  });
  it('refuse an unknown price only if there is a money limit', () => {
    expect(checkBudget([scope({ usdPerMonth: 5 })], 'unknown')).toEqual({ type: 'unpriced', scope: 'agent' });
    expect(checkBudget([scope({ tokensPerDay: 5 })], 'unknown').type).toBe('go');
  });
  it('compare simulated and real dollars with the limit separately, and count all tokens', () => {
    const spent = { ...nothing, tokens: 100, usd: 99 };
    expect(checkBudget([scope({ usdPerDay: 1 }, spent)], 'simulated').type).toBe('go');
    expect(checkBudget([scope({ tokensPerDay: 100 }, spent)], 'simulated').type).toBe('used_up');
    const played = { tokens: 100, usd: 0, simulatedUsd: 2 };
    expect(checkBudget([scope({ usdPerDay: 1 }, played)], 'known').type).toBe('go');
    expect(checkBudget([scope({ usdPerDay: 1 }, played)], 'simulated')).toMatchObject({
      by: { limit: 'usdPerDay', simulated: true, used: 2, max: 1 },
    });
    // Raising a limit approves real money only.
    expect(raisable([scope({ usdPerDay: 1 }, played)], 'simulated')).toEqual([]);
  });
  it('add an allowed extra to the limit and warn again near the new limit', () => {
    const used = { ...nothing, usd: 12 };
    const more = { ...scope({ usdPerDay: 10 }, used), extra: { usdPerDay: 12 } };
    expect(checkBudget([more], 'known').type).toBe('go');
    expect(limitUses([more])).toMatchObject([{ max: 22, budget: 10, state: 'fine' }]);
    const nearly = { ...more, day: { ...nothing, usd: 20 } };
    expect(limitUses([nearly])[0]?.state).toBe('warn');
    expect(checkBudget([{ ...more, day: { ...nothing, usd: 22 } }], 'known')).toMatchObject({
      type: 'used_up',
    });
  });
  it('offer a raise only for limits where it would help', () => {
    const spent = { ...nothing, tokens: 100, usd: 99 };
    const names = (limits: Partial<BudgetLimits>, price: 'known' | 'unknown' | 'simulated') =>
      raisable([scope(limits, spent)], price).map(({ limit }) => limit);
    expect(names({ usdPerDay: 1, tokensPerDay: 1000 }, 'known')).toEqual(['usdPerDay']);
    expect(names({ usdPerDay: 1 }, 'simulated')).toEqual([]);
    expect(names({ usdPerDay: 1, tokensPerDay: 1 }, 'unknown')).toEqual([]);
    expect(names({ tokensPerDay: 1 }, 'unknown')).toEqual(['tokensPerDay']);
    expect(names({ usdPerDay: 0 }, 'known')).toEqual([]);
    expect(names({ usdPerDay: 100 }, 'known')).toEqual([]);
  });
  it('stop agents below their own limits if the total is used up', () => {
    const total: BudgetScope = {
      ...scope({ tokensPerMonth: 10 }, nothing, { ...nothing, tokens: 10 }),
      scope: 'total',
    };
    expect(checkBudget([scope({ tokensPerMonth: 100 }), total], 'known')).toMatchObject({
      by: { scope: 'total' },
    });
  });

  const limit = fc.option(fc.double({ min: 0, max: 1_000, noNaN: true }), { nil: null });
  const limits = fc.record({
    tokensPerDay: limit,
    tokensPerMonth: limit,
    usdPerDay: limit,
    usdPerMonth: limit,
  });
  const used = fc.record({
    tokens: fc.nat(2_000),
    usd: fc.double({ min: 0, max: 2_000, noNaN: true }),
    simulatedUsd: fc.double({ min: 0, max: 2_000, noNaN: true }),
  });
  const anyScope = fc.record({
    scope: fc.constantFrom('agent' as const, 'total' as const),
    limits,
    day: used,
    month: used,
  });
  const price = fc.constantFrom('known' as const, 'unknown' as const, 'simulated' as const);

  it(`stop exactly when a limit is reached, and more spending never reopens (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.array(anyScope, { maxLength: 3 }), price, used, (scopes, how, more) => {
        const verdict = checkBudget(scopes, how);
        const reached = scopes.some(({ limits: l, day, month }) =>
          [
            [l.tokensPerDay, day.tokens],
            [l.tokensPerMonth, month.tokens],
            ...(how === 'simulated'
              ? [
                  // The demo's cap counts from its first simulated dollar.
                  [l.usdPerDay, day.simulatedUsd || -1],
                  [l.usdPerMonth, month.simulatedUsd || -1],
                ]
              : [
                  [l.usdPerDay, day.usd],
                  [l.usdPerMonth, month.usd],
                ]),
          ].some(([max, value]) => max !== null && max !== undefined && (value ?? 0) >= max),
        );
        expect(verdict.type === 'used_up').toBe(reached);
        const grown = scopes.map((one) => ({
          ...one,
          day: plus(one.day, more),
          month: plus(one.month, more),
        }));
        if (verdict.type !== 'go') expect(checkBudget(grown, how).type).not.toBe('go');
        const shares = limitUses(scopes).map(({ share }) => share);
        expect(shares).toEqual([...shares].sort((a, b) => b - a));
      }),
      { numRuns: 2_000 },
    );
  });
  it(`refuse an unknown price under any money limit (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.array(anyScope, { maxLength: 3 }), (scopes) => {
        const capped = scopes.some(({ limits: l }) => l.usdPerDay !== null || l.usdPerMonth !== null);
        if (capped) expect(checkBudget(scopes, 'unknown').type).not.toBe('go');
      }),
      { numRuns: 1_000 },
    );
  });
});
