import { statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { admitGuess } from './short-id-guard.ts';

let folder = '';
eachTestInFolder('kennel-guess-', (made) => {
  folder = made;
});

const start = 1_778_790_000_000;
const guess = (at: number): boolean => admitGuess(folder, at).ok;

describe('Short id attempts', () => {
  it('are refused after twenty wrong ones for ten minutes', () => {
    const admitted = Array.from({ length: 25 }, (_, at) => guess(start + at)).filter(Boolean);
    expect(admitted).toHaveLength(20);
    expect(guess(start + 599_000)).toBe(false);
    expect(guess(start + 1_300_000)).toBe(true);
  });

  it('do not count if they were right', () => {
    for (let at = 0; at < 60; at += 1) {
      const admitted = admitGuess(folder, start + at);
      expect(admitted.ok).toBe(true);
      if (admitted.ok) admitted.value.wasRight();
    }
  });

  it('F8: stay counted after the clock is set back', () => {
    for (let at = 0; at < 20; at += 1) guess(start + at);
    expect(guess(start - 86_400_000)).toBe(false);
  });

  it('are stored in a small file readable only by the owner', () => {
    for (let at = 0; at < 3_000; at += 1) guess(start + at * 60_000);
    const { size, mode } = statSync(path.join(folder, 'short-id-tries'));
    expect([size < 20_000, mode & 0o777]).toEqual([true, 0o600]);
  });
});
