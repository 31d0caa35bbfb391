import { describe, expect, it } from 'vitest';
import type { RunAgain } from '../../contract/workflow-methods.ts';
import { placesText, secondTimeText } from './places-text.ts';

const some = (...paths: string[]) => ({ paths, all: paths.length });
const place = (from: string, change: Partial<RunAgain> = {}): RunAgain => ({
  from,
  refusal: '',
  nearest: '',
  asked: some(),
  once: some(),
  ...change,
});

describe('from where a run can be begun again, in a terminal', () => {
  it('stands in a table with what happens a second time, the others below with why not', () => {
    const many = { paths: ['a', 'b', 'c', 'd', 'e'], all: 70 };
    const places = [
      place('look', { once: many }),
      place('ship', { once: some('ship'), asked: some('ask') }),
      place('end', { refusal: 'No.', nearest: 'ship' }),
    ];
    expect(placesText({ places, more: 3 }, 'abcd')).toBe(
      [
        'From  Must happen only once, and would again  Asks again',
        'look  a, b, c, d and 66 more                  -',
        'ship  ship                                    ask',
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

  it('says where there is none', () => {
    expect(placesText({ places: [], more: 0 }, 'abcd')).toContain('puppy again abcd');
  });

  it('is told of what must happen only once before it happens again', () => {
    expect(secondTimeText({ places: [place('a')], more: 0 })).toBe('');
    const places = [place('a', { once: some('pay', 'tell') })];
    expect(secondTimeText({ places, more: 0 })).toBe(
      'Done again, though it must happen only once: pay, tell\n',
    );
  });
});
