import type { Stats } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createHashCache } from './hash-cache.ts';

const readAt = 1_700_000_000_000;

describe('The hash of a file is kept only if a later write shows in its times', () => {
  test.each([
    { why: 'a fine clock, changed 101 ms before', ctimeMs: readAt - 100.5, kept: true },
    { why: 'a fine clock, changed 50 ms before', ctimeMs: readAt - 50.5, kept: false },
    { why: 'a coarse clock, changed 2 s before', ctimeMs: readAt - 2_000, kept: false },
    { why: 'a coarse clock, changed 3 s before', ctimeMs: readAt - 3_000, kept: true },
  ])('$why: $kept', ({ ctimeMs, kept }) => {
    const cache = createHashCache();
    const stats = { dev: 1, ino: 2, size: 3, mtimeMs: ctimeMs, ctimeMs } as Stats;
    cache.note('/a', stats, 'hash', readAt);
    expect(cache.find('/a', stats)).toBe(kept ? 'hash' : null);
  });
});
