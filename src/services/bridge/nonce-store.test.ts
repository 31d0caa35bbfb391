import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNonceBook } from './nonce-store.ts';

const now = 1_778_790_000_000;
const minute = 60_000;

describe('Nonces of signed requests', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kennel-nonces-'));
    path = join(folder, 'nonces');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are known after a restart, per device and value (T5)', () => {
    createNonceBook(path).use('dev_a', 'one', now, now);
    const again = createNonceBook(path);
    expect(again.used('dev_a', 'one')).toBe(true);
    expect(again.used('dev_b', 'one')).toBe(false);
    expect(again.used('dev_a', 'two')).toBe(false);
  });

  it('survive a line torn by a crash (F1)', () => {
    createNonceBook(path).use('dev_a', 'one', now, now);
    appendFileSync(path, `${now} ["dev_a","tw`);
    const again = createNonceBook(path);
    expect(again.used('dev_a', 'one')).toBe(true);
    again.use('dev_a', 'three', now, now);
    expect(createNonceBook(path).used('dev_a', 'three')).toBe(true);
  });

  it('are dropped once too old to be accepted, and not accepted again if the clock goes back (T29)', () => {
    const book = createNonceBook(path);
    book.use('dev_a', 'old', now, now);
    const later = now + 20 * minute;
    for (let n = 0; n < 2_100; n += 1) book.use('dev_a', `n${n}`, later, later);
    expect(book.used('dev_a', 'old')).toBe(false);
    expect(readFileSync(path, 'utf8').split('\n').length).toBeLessThan(2_200);
    for (const one of [book, createNonceBook(path)]) {
      expect(one.remembers(now)).toBe(false);
      expect(one.remembers(later - 5 * minute)).toBe(true);
    }
  });
});
