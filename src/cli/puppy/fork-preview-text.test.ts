import { describe, expect, it } from 'vitest';
import type { RunAgain } from '../../contract/workflow-methods.ts';
import { shownText } from '../terminal.ts';
import { placesText, secondTimeText } from './fork-preview-text.ts';

const some = (...paths: string[]) => ({ paths, all: paths.length });
const place = (from: string, change: Partial<RunAgain> = {}): RunAgain => ({
  from,
  refusal: '',
  nearest: '',
  asked: some(),
  once: some(),
  ...change,
});

describe('Retry points of a run, as terminal text', () => {
  it('list repeated effects in a table, and refused steps below with the reason', () => {
    const many = { paths: ['a', 'b', 'c', 'd', 'e'], all: 70 };
    const places = [
      place('look', { once: many }),
      place('ship', { once: some('ship'), asked: some('ask') }),
      place('end', { refusal: 'No.', nearest: 'ship' }),
    ];
    expect(shownText(placesText({ places, more: 3 }, 'abcd'))).toBe(
      [
        'FROM  REPEATS A ONCE STEP     ASKS AGAIN',
        'look  a, b, c, d and 66 more  -',
        'ship  ship                    ask',
        '',
        'Not from:',
        'end: No. Nearest: ship',
        '',
        '3 more steps: name one by its path, as "puppy show" lists them.',
        '',
        'Begin: puppy retry abcd --from STEP',
      ].join('\n'),
    );
  });

  it('suggest "puppy again" if there is no retry point', () => {
    expect(shownText(placesText({ places: [], more: 0 }, 'abcd'))).toContain('puppy again abcd');
  });

  it('list steps that must run only once before they are repeated', () => {
    expect(secondTimeText({ places: [place('a')], more: 0 })).toBe('');
    const places = [place('a', { once: some('pay', 'tell') })];
    expect(secondTimeText({ places, more: 0 })).toBe('Repeats steps that must happen only once: pay, tell\n');
  });
});
