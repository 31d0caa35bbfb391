import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { createMemoryRegistryStore } from '../../../test/fakes/memory-registry-store.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { RegistryStore, SealedChannels } from '../../core/puffo/registry-store.ts';
import { openRegistryStore } from './registry-store.ts';

let folder: string;
eachTestInFolder('kennel-registry-', (made) => {
  folder = made;
});

const open = () =>
  openRegistryStore({
    path: path.join(folder, 'registry.db'),
    key: new Uint8Array(32).fill(9),
    clock: createVirtualClock(),
    log: createRecordingLog(),
  });
const entry = (seq: number, slug = 'alice-a62c') => ({ seq, kind: 'device_cert', slug, cert: { n: seq } });
const makers: readonly [string, () => RegistryStore & SealedChannels][] = [
  ['SQLite', open],
  ['memory', createMemoryRegistryStore],
];

describe.each(makers)('Registry store in %s', (_name, make) => {
  it('stores each encrypted channel once', () => {
    const store = make();
    store.keepSealed([]);
    expect(store.sealedChannels()).toEqual([]);
    store.keepSealed(['ch_b', 'ch_a']);
    store.keepSealed(['ch_b', "ch_'c"]);
    expect(store.sealedChannels()).toEqual(["ch_'c", 'ch_a', 'ch_b']);
  });

  it('stores entries and cursor together, each entry once', () => {
    const store = make();
    expect([store.entries('alice-a62c'), store.cursor('alice-a62c')]).toEqual([[], 0]);
    store.append('alice-a62c', [entry(3), entry(5)], 5);
    store.append('alice-a62c', [{ ...entry(5), cert: 'changed' }, entry(9)], 9);
    expect(store.entries('alice-a62c')).toEqual([entry(3), entry(5), entry(9)]);
    expect([store.cursor('alice-a62c'), store.cursor('bob-0001')]).toEqual([9, 0]);
    expect(store.entries('bob-0001')).toEqual([]);
  });

  it('refuses a page that does not continue from its cursor (F19)', () => {
    const store = make();
    expect(store.append('alice-a62c', [entry(3)], 3)).toBe(true);
    expect(store.append('alice-a62c', [entry(9)], 9, 5)).toBe(false);
    expect([store.entries('alice-a62c'), store.cursor('alice-a62c')]).toEqual([[entry(3)], 3]);
    expect(store.append('alice-a62c', [entry(4)], 4, 3)).toBe(true);
    expect(store.losses()).toBe(0);
  });

  it('pins a root key once and never changes it (T7)', () => {
    const store = make();
    expect(store.pinnedRoot('a')).toBeNull();
    expect(store.pinRoot('a', 'root-1', 1)).toBe(true);
    expect(store.pinRoot('a', 'root-2', 2)).toBe(false);
    expect(store.pinRoot('a', 'root-1', 3)).toBe(true);
    expect(store.pinnedRoot('a')).toBe('root-1');
  });

  it('keeps the key that was verified with the mark, until the mark goes (T7)', () => {
    const store = make();
    expect(store.verifiedRoots()).toEqual(new Map());
    store.markVerified('a', { root: 'root-1', at: 1 });
    store.markVerified('b', { root: 'root-2', at: 2 });
    store.markVerified('a', { root: 'root-3', at: 3 });
    expect(store.verifiedRoots()).toEqual(
      new Map([
        ['a', { root: 'root-3', at: 3 }],
        ['b', { root: 'root-2', at: 2 }],
      ]),
    );
    store.markVerified('a', null);
    expect([...store.verifiedRoots().keys()]).toEqual(['b']);
  });

  it('keeps the newest profile of each account', () => {
    const store = make();
    const profile = { slug: 'a', displayName: 'A', avatarUrl: '', role: 'r', roleShort: '', agent: true };
    store.saveProfiles([profile, { ...profile, slug: 'b', agent: false }]);
    store.saveProfiles([{ ...profile, displayName: 'A2' }]);
    expect(store.profile('a')).toEqual({ ...profile, displayName: 'A2' });
    expect(store.profile('b')?.agent).toBe(false);
    expect(store.profile('c')).toBeNull();
  });
});

describe('Registry store on disk', () => {
  it('persists, and has no plaintext contact in its files (T18)', () => {
    const store = open();
    store.append('canary-0001', [entry(1, 'canary-0001')], 1);
    store.release();
    for (const name of readdirSync(folder)) {
      expect(readFileSync(path.join(folder, name)).includes('canary')).toBe(false);
    }
    const again = open();
    expect(again.entries('canary-0001')).toHaveLength(1);
    again.release();
  });
});

it('keeps its cursor when reopened', () => {
  const store = open();
  store.append('alice-a62c', [entry(3)], 3);
  store.release();
  expect(store.cursor('alice-a62c')).toBe(3);
});

it('resets its cursor after damage so that lost entries are fetched again, and keeps its pins (F19, T7)', () => {
  const store = open();
  store.pinRoot('alice-a62c', 'root', 1);
  for (let n = 1; n <= 400; n += 1) store.append('alice-a62c', [{ ...entry(n), cert: 'x'.repeat(200) }], n);
  store.release();
  const file = path.join(folder, 'registry.db');
  const bytes = readFileSync(file);
  bytes.fill(1, bytes.length - 4096);
  writeFileSync(file, bytes);
  const again = open();
  again.entries('alice-a62c');
  expect([again.cursor('alice-a62c'), again.losses()]).toEqual([0, 1]);
  expect(again.pinnedRoot('alice-a62c')).toBe('root');
});
