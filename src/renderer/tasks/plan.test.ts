import { describe, expect, it } from 'vitest';
import { methods } from '../../contract/methods.ts';
import { localInput, newPlan, planOf, timeIn, wholePlan } from './plan.ts';

describe('Task plan form', () => {
  it('omits empty and invalid fields', () => {
    expect(newPlan(planOf())).toEqual({});
    expect(newPlan(planOf({ project: ' ', due: 'nonsense', steps: '0', usd: '-1', tokens: 'x' }))).toEqual(
      {},
    );
  });

  it('includes the filled fields, rounded where only integers are valid', () => {
    const plan = planOf({ project: ' wiki ', priority: '10', steps: '2.6', tokens: '1e6', usd: '0.5' });
    const budget = { steps: 3, tokens: 1_000_000, usd: 0.5 };
    expect(newPlan(plan)).toEqual({ project: 'wiki', priority: 10, budget });
  });

  it('clears emptied fields when a task is changed', () => {
    const none = { steps: null, tokens: null, usd: null };
    expect(wholePlan(planOf())).toEqual({ project: null, priority: 0, dueAt: null, budget: none });
  });

  it('always produces input that the host accepts as well-formed', () => {
    const odd = planOf({ priority: '1e9', steps: '1e12', tokens: '0.2', usd: '1e-9' });
    const input = methods['tasks.amend'].input.safeParse({ task: 1, ...wholePlan(odd) });
    expect(input.success, JSON.stringify(input.error?.issues)).toBe(true);
  });

  it('round-trips a local time to the minute', () => {
    const at = new Date(2026, 2, 9, 7, 5).getTime();
    expect(localInput(at)).toBe('2026-03-09T07:05');
    expect(timeIn(localInput(at))).toBe(at);
    expect(timeIn('')).toBeNull();
  });
});
