import { describe, expect, it } from 'vitest';
import { archivedBefore, archiveTime } from './archive.ts';

const work = { id: '7', isFinished: true, archivedAt: null };

describe('Archive rule', () => {
  it.each([
    ['finished work is archived', work, true, 50],
    ['a second time keeps the first', { ...work, archivedAt: 20 }, true, 20],
    ['archived work returns', { ...work, archivedAt: 20 }, false, null],
    ['unfinished work returns, too', { ...work, isFinished: false }, false, null],
  ])('sets the time of archiving: %s', (_, item, archived, expected) => {
    expect(archiveTime(item, archived, 50)).toEqual({ ok: true, value: expected });
  });

  it('refuses unfinished work and names it', () => {
    expect(archiveTime({ ...work, isFinished: false }, true, 50)).toMatchObject({
      error: { code: 'conflict', message: expect.stringContaining('7') },
    });
  });

  it('counts days back from now', () => expect(archivedBefore(2, 200_000_000)).toBe(27_200_000));
});
