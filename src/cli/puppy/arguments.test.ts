import { describe, expect, it } from 'vitest';
import { requiredWord, wholeNumberFlag } from './arguments.ts';

describe('Workflow arguments', () => {
  it('accept whole numbers from the least one only', () => {
    expect([wholeNumberFlag('--limit', '5', 1), wholeNumberFlag('--limit', undefined, 1)]).toEqual([
      5,
      undefined,
    ]);
    for (const wrong of ['0', '-1', '1.5', 'x', '', '99999999999999999999'])
      expect(() => wholeNumberFlag('--limit', wrong, 1), wrong).toThrow(/--limit/);
  });

  it('require the word that a command works on', () => {
    expect(requiredWord(['a b'], 'giveRun')).toBe('a b');
    expect(() => requiredWord([''], 'giveRun')).toThrow('Give a run.');
  });
});
