import { expect, test } from 'vitest';
import { argumentsText } from './arguments-text.ts';

test('Arguments show text of several lines as it is, without escapes', () => {
  expect(argumentsText({ path: 'hello.md', text: 'a "b"\nc', limit: 3, options: { deep: true } })).toBe(
    'path: hello.md\ntext: \na "b"\nc\nlimit: 3\noptions: {\n "deep": true\n}',
  );
});

test('Arguments that are no object are shown too', () => {
  expect([argumentsText(undefined), argumentsText('a\nb'), argumentsText([1])]).toEqual([
    '',
    '\na\nb',
    '[\n 1\n]',
  ]);
});
