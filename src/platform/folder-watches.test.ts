import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { FolderWatches } from './folder-watches.ts';

class FakeWatcher extends EventEmitter {
  closed = false;
  close(): void {
    this.closed = true;
  }
}

function folders(refusals: Readonly<Record<string, string>> = {}) {
  const made = new Map<string, FakeWatcher>();
  const watches = new FolderWatches((path) => {
    const code = refusals[path];
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    const watcher = new FakeWatcher();
    made.set(path, watcher);
    return watcher;
  });
  return { made, watches };
}

it('A folder is watched once, and again after its watch failed', () => {
  const { made, watches } = folders();
  expect(watches.add('a', '/a', () => undefined)).toBeNull();
  const first = made.get('/a');
  watches.add('a', '/a', () => undefined);
  expect(made.get('/a')).toBe(first);
  first?.emit('error', new Error('EMFILE'));
  expect([first?.closed, watches.size]).toEqual([true, 0]);
  watches.add('a', '/a', () => undefined);
  expect(made.get('/a')).not.toBe(first);
});

it('A failed watch reports whether the folder is missing or the system refused', () => {
  const { watches } = folders({ '/gone': 'ENOENT', '/full': 'ENOSPC' });
  expect(watches.add('gone', '/gone', () => undefined)).toEqual({ reason: 'missing', code: 'ENOENT' });
  expect(watches.add('full', '/full', () => undefined)).toEqual({ reason: 'refused', code: 'ENOSPC' });
  expect(watches.size).toBe(0);
});

it('Unwanted folder watches are closed', () => {
  const { made, watches } = folders();
  for (const key of ['a', 'b', 'c']) watches.add(key, `/${key}`, () => undefined);
  watches.keepOnly(new Set(['b']));
  expect([...made.values()].map(({ closed }) => closed)).toEqual([true, false, true]);
  watches.close();
  expect(made.get('/b')?.closed).toBe(true);
});
