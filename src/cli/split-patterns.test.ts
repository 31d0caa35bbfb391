import { expect, it } from 'vitest';
import { splitPatterns } from './split-patterns.ts';

it.each([
  ['Read,Write', ['Read', 'Write']],
  ['Bash(git a,b), Read', ['Bash(git a,b)', 'Read']],
  ['Bash((a,b),c),*', ['Bash((a,b),c)', '*']],
  [' , ', []],
  ['Bash(a', ['Bash(a']],
])('Patterns in %j are split outside of brackets', (text, expected) => {
  expect(splitPatterns(text)).toEqual(expected);
});
