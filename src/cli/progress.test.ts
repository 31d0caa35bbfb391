import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProgress } from './progress.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function terminal(isTTY: boolean) {
  const written: string[] = [];
  return { written, isTTY, write: (text: string) => written.push(text) };
}

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

const erase = '\r\u001B[K';

describe('Progress', () => {
  it('appears after a while, counts seconds, and disappears with the work', async () => {
    const stream = terminal(true);
    const work = deferred<string>();
    const done = createProgress(stream, {}).during(work.promise, 'Backing up');
    vi.advanceTimersByTime(300);
    expect(stream.written).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(stream.written).toEqual([`${erase}⠼ Backing up…`]);
    vi.advanceTimersByTime(4_000);
    expect(stream.written.at(-1)).toContain('Backing up… 4 s');
    work.resolve('value');
    expect(await done).toBe('value');
    expect(stream.written.at(-1)).toBe(erase);
    const count = stream.written.length;
    vi.advanceTimersByTime(5_000);
    expect(stream.written).toHaveLength(count);
  });

  it('stays away from pipes, dumb terminals and commands without it', async () => {
    const pipe = terminal(false);
    const dumb = terminal(true);
    const json = terminal(true);
    const silent = createProgress(json, {});
    silent.use(null);
    const work = deferred<void>();
    const all = [
      createProgress(pipe, {}).during(work.promise),
      createProgress(dumb, { TERM: 'dumb' }).during(work.promise),
      silent.during(work.promise, 'Waiting'),
    ];
    vi.advanceTimersByTime(5_000);
    work.resolve();
    await Promise.all(all);
    expect([pipe.written, dumb.written, json.written]).toEqual([[], [], []]);
  });

  it('disappears after a failure, and before notes', async () => {
    const stream = terminal(true);
    const progress = createProgress(stream, {});
    progress.use('Importing');
    const work = deferred<void>();
    const done = progress.during(work.promise);
    vi.advanceTimersByTime(500);
    progress.note('Guide asks.');
    expect(stream.written.slice(-2)).toEqual([erase, 'Guide asks.\n']);
    vi.advanceTimersByTime(100);
    expect(stream.written.at(-1)).toContain('Importing…');
    work.reject(new Error('no'));
    await expect(done).rejects.toThrow('no');
    expect(stream.written.at(-1)).toBe(erase);
  });

  it('shows the inner of two waits, then the outer one', async () => {
    const stream = terminal(true);
    const progress = createProgress(stream, {});
    const [outer, inner] = [deferred<void>(), deferred<void>()];
    const waits = [
      progress.during(outer.promise, 'Waiting for the answer'),
      progress.during(inner.promise, 'Asking'),
    ];
    vi.advanceTimersByTime(500);
    expect(stream.written.at(-1)).toContain('Asking');
    inner.resolve();
    await waits[1];
    vi.advanceTimersByTime(100);
    expect(stream.written.at(-1)).toContain('Waiting for the answer');
    outer.resolve();
    await Promise.all(waits);
    expect(stream.written.at(-1)).toBe(erase);
  });

  it('keeps the label of the outer wait during an inner one without a label', async () => {
    const stream = terminal(true);
    const progress = createProgress(stream, {});
    const [outer, inner] = [deferred<void>(), deferred<void>()];
    const waits = [progress.during(outer.promise, 'Waiting for the answer'), progress.during(inner.promise)];
    vi.advanceTimersByTime(500);
    expect(stream.written.at(-1)).toContain('Waiting for the answer');
    inner.resolve();
    await waits[1];
    vi.advanceTimersByTime(100);
    expect(stream.written.at(-1)).toContain('Waiting for the answer');
    outer.resolve();
    await Promise.all(waits);
    expect(stream.written.at(-1)).toBe(erase);
  });
});
