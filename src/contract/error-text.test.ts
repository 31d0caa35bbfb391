import { describe, expect, it } from 'vitest';
import { errorLines, errorSentence } from './error-text.ts';

describe('Error text', () => {
  it.each([
    [{ message: 'It broke.' }, 'It broke.'],
    [{ message: 'It broke.', where: 'line 3' }, 'It broke (line 3).'],
    [{ message: 'Which agent?', where: 'agent' }, 'Which agent (agent)?'],
    [{ message: 'Nobody is called bo.', where: 'who' }, 'Nobody is called bo.'],
    [{ message: 'no full stop', where: 'a.yml' }, 'no full stop (a.yml)'],
  ])('puts the location before the full stop: %j', (error, words) => {
    expect(errorSentence(error)).toBe(words);
  });

  it('puts the hint on separate lines', () => {
    const error = { message: 'It broke.', where: 'line 3', hint: 'Mend it.\nThen try again.' };
    expect(errorLines(error)).toBe('It broke (line 3).\nMend it.\nThen try again.');
    expect(errorLines(error, '  ')).toBe('It broke (line 3).\n  Mend it.\n  Then try again.');
  });
});
