import { expect, test } from 'vitest';
import { ok } from '../contract/result.ts';
import { StoreError } from '../core/lib/store-error.ts';
import { createSystemClock } from '../services/clock/system-clock.ts';
import { CommitQueue } from './commit-queue.ts';
import { refuseRequest } from './refusal.ts';

/** A string store with the transaction semantics of the port. */
function wordStore() {
  let words: string[] = [];
  const store = {
    commits: 0,
    failing: false,
    get words() {
      return words;
    },
    write: (word: string) => {
      words.push(word);
    },
    transaction: <T>(run: () => T): T => {
      const before = [...words];
      try {
        const value = run();
        if (store.failing) throw new StoreError('disk_full', 'The disk is full.');
        store.commits += 1;
        return value;
      } catch (error) {
        words = before;
        throw error;
      }
    },
    attempt: <T>(run: () => T, keep: (value: T) => boolean): T => {
      const before = [...words];
      try {
        const value = run();
        if (!keep(value)) words = before;
        return value;
      } catch (error) {
        words = before;
        throw error;
      }
    },
  };
  return store;
}

const clock = createSystemClock();

test('Writes of one tick share one commit that is durable when their promises settle', async () => {
  const store = wordStore();
  const queue = new CommitQueue(store, clock);
  const writes = Array.from({ length: 100 }, (_, n) => queue.run(() => ok(store.write(`w${n}`))));
  expect(store.words).toEqual([]);
  const results = await Promise.all(writes);
  expect(results.every((result) => result.ok)).toBe(true);
  expect([store.commits, store.words.length]).toEqual([1, 100]);
});

test('A refused or throwing write leaves no trace and does not affect others', async () => {
  const store = wordStore();
  const queue = new CommitQueue(store, clock);
  const kept = queue.run(() => ok(store.write('kept')));
  const refused = queue.run(() => {
    store.write('refused');
    return refuseRequest('CONFLICT', 'no');
  });
  const broken = queue.run(() => {
    store.write('broken');
    throw new Error('a bug');
  });
  expect((await kept).ok).toBe(true);
  expect(await refused).toMatchObject({ ok: false, error: { status: 409 } });
  await expect(broken).rejects.toThrow('a bug');
  expect(store.words).toEqual(['kept']);
});

test('F4: A failed commit rejects the whole group, and the next group works', async () => {
  const store = wordStore();
  const queue = new CommitQueue(store, clock);
  store.failing = true;
  const lost = [queue.run(() => ok(store.write('a'))), queue.run(() => ok(store.write('b')))];
  for (const promise of lost) await expect(promise).rejects.toThrow('The disk is full.');
  store.failing = false;
  await queue.run(() => ok(store.write('c')));
  expect(store.words).toEqual(['c']);
});

test('Lazy writes join the next group or are committed alone after a delay', async () => {
  const store = wordStore();
  const queue = new CommitQueue(store, clock, 20);
  queue.later(() => store.write('lazy'));
  await queue.run(() => ok(store.write('eager')));
  expect(store.words).toEqual(['lazy', 'eager']);
  expect(store.commits).toBe(1);
  let told = false;
  queue.later(
    () => store.write('alone'),
    () => {
      told = true;
    },
  );
  await expect.poll(() => told).toBe(true);
  expect(store.commits).toBe(2);
});
