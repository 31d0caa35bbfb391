import { expect, it } from 'vitest';
import { say } from '../language/say.ts';
import { jsonText } from './json-text.ts';

it('JSON output has the English text of a message, wherever it is', () => {
  const use = say('moving.becomesYou');
  const note = say('moving.identityTaken', { slug: 'ada-0001', use });
  expect(JSON.parse(jsonText({ notes: [note, ''], use }))).toEqual({
    notes: ['ada-0001 becomes you.', ''],
    use: 'becomes you',
  });
});

it('JSON output keeps objects that only resemble a message', () => {
  const values = [
    { key: 'moving.becomesYou', values: { id: 1 } },
    { key: 'Enter', text: 'line break' },
    { key: 'moving.becomesYou', text: 'Hello', at: 1 },
    { key: 'moving.becomesYou', text: null },
  ];
  expect(JSON.parse(jsonText(values, 2))).toEqual(values);
});

it('JSON output cannot send control sequences to the terminal (T21)', () => {
  expect(jsonText({ ...say('moving.becomesYou'), text: '\u009b31m' })).toBe('"\\u009B31m"');
});
