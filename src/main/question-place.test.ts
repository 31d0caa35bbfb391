import { describe, expect, it } from 'vitest';
import { cornerPlace, questionRoute, questionShown } from './question-place.ts';

describe('the window for one question', () => {
  it('stands in the corner of the tray, on the screen that was asked for', () => {
    const area = { x: 1400, y: 30, width: 1920, height: 1000 };
    expect(cornerPlace(area, 'linux')).toEqual({ x: 2824, y: 46, width: 480, height: 600 });
    expect(cornerPlace(area, 'win32')).toEqual({ x: 2824, y: 414, width: 480, height: 600 });
  });

  it('fits a screen that is smaller than itself', () => {
    const place = cornerPlace({ x: 0, y: 0, width: 400, height: 500 }, 'linux');
    expect(place).toEqual({ x: 16, y: 16, width: 368, height: 468 });
  });

  it.each(['q1', 'a/b #?', 'ü%'])('finds the question %j in its own address', (id) => {
    expect(questionShown(`kennel://app/${questionRoute(id)}`)).toBe(id);
  });

  it.each([
    'kennel://app/',
    'kennel://app/#/inbox/q1',
    'kennel://app/#/approval/',
    'kennel://app/#/approval/%',
  ])('finds none in %s', (address) => expect(questionShown(address)).toBeNull());
});
