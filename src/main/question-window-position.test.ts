import { describe, expect, it } from 'vitest';
import { askPlace, cornerPlace, questionRoute, questionShown } from './question-window-position.ts';

describe('Question window', () => {
  it('is placed in the tray corner of the given screen', () => {
    const area = { x: 1400, y: 30, width: 1920, height: 1000 };
    expect(cornerPlace(area, 'linux')).toEqual({ x: 2824, y: 46, width: 480, height: 600 });
    expect(cornerPlace(area, 'win32')).toEqual({ x: 2824, y: 414, width: 480, height: 600 });
  });

  it('for a quick ask is in the middle, above the centre, and on the given screen', () => {
    const area = { x: 1400, y: 30, width: 1920, height: 1000 };
    expect(askPlace(area)).toEqual({ x: 2060, y: 175, width: 600, height: 420 });
    expect(askPlace({ x: 0, y: 0, width: 360, height: 300 })).toEqual({
      x: 16,
      y: 8,
      width: 328,
      height: 268,
    });
  });

  it('shrinks to fit a small screen', () => {
    const place = cornerPlace({ x: 0, y: 0, width: 400, height: 500 }, 'linux');
    expect(place).toEqual({ x: 16, y: 16, width: 368, height: 468 });
  });

  it.each(['q1', 'a/b #?', 'ü%'])('reads the question id %j from its address', (id) => {
    expect(questionShown(`kennel://app/${questionRoute(id)}`)).toBe(id);
  });

  it.each([
    'kennel://app/',
    'kennel://app/#/inbox/q1',
    'kennel://app/#/approval/',
    'kennel://app/#/approval/%',
  ])('reads no question id from %s', (address) => expect(questionShown(address)).toBeNull());
});
