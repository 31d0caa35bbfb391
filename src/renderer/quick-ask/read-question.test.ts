import { expect, it } from 'vitest';
import { readQuestion } from './read-question.ts';

const agents = [
  { slug: 'guide-1c2d', displayName: 'Guide' },
  { slug: 'twin-1111', displayName: 'Twin' },
  { slug: 'twin-2222', displayName: 'Twin' },
];

it.each([
  [' @Guide, what now? ', 'guide-1c2d', 'what now?'],
  ['@twin-2222 hello', 'twin-2222', 'hello'],
  ['@Guide', 'guide-1c2d', ''],
  ['ask @Guide about it', null, 'ask @Guide about it'],
])('%j names %s', (text, slug, question) => {
  expect(readQuestion(text, agents)).toEqual({ slug, isUnclear: false, question });
});

it.each(['@Twin hello', '@Nobody hello', '@gui hello', '@nobody ask @Guide', '@ hello', ' @Guid'])(
  '%j names no agent clearly, so that it goes to none',
  (text) => expect(readQuestion(text, agents)).toMatchObject({ slug: null, isUnclear: true }),
);

it('A single @ is the beginning of a name', () => {
  expect(readQuestion('@', agents)).toMatchObject({ slug: null, isUnclear: false });
});
