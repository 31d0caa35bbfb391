import { describe, expect, it } from 'vitest';
import { didYouMean } from './did-you-mean.ts';

describe('Suggestion for a misspelt name', () => {
  it.each([
    ['bbo', ['bob'], 'bob'],
    ['adda', ['ada', 'eve'], 'ada'],
    ['guid', ['guide', 'checker'], 'guide'],
    ['CHEKCER', ['guide', 'checker'], 'checker'],
    ['helper', ['checker'], null],
    ['x', ['bob'], null],
    ['', ['bob'], null],
    ['bob', [], null],
  ])('for %j among %j is %j', (wanted, names, meant) => {
    expect(didYouMean(wanted, names)).toBe(meant);
  });
});
