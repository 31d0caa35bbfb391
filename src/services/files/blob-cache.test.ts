import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { createBlobCache } from './blob-cache.ts';

let home = '';
eachTestInFolder('kennel-cache-', (made) => {
  home = made;
});

const blob = (byte: number): Uint8Array => new Uint8Array(40).fill(byte);
const wait = () => new Promise((resolve) => setTimeout(resolve, 5));

test('The blob cache evicts the least recently used blobs above its size limit', async () => {
  const folder = join(home, 'cache');
  const cache = createBlobCache(folder, 100);
  await cache.put('../a', blob(1));
  await wait();
  await cache.put('b', blob(2));
  await wait();
  expect(await cache.get('../a')).toEqual(Buffer.from(blob(1)));
  await wait();
  await cache.put('c', blob(3));
  expect(await cache.get('b')).toBe(null);
  expect(await cache.get('../a')).toEqual(Buffer.from(blob(1)));
  expect(readdirSync(home)).toEqual(['cache']);
  for (const name of readdirSync(folder)) {
    expect(name).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  }
  await cache.put('huge', new Uint8Array(101));
  expect(readdirSync(folder)).toHaveLength(2);
  await cache.drop('c');
  expect(await cache.get('c')).toBe(null);
});

test('The blob cache ignores a folder that cannot be created', async () => {
  writeFileSync(join(home, 'cache'), '');
  const cache = createBlobCache(join(home, 'cache'), 100);
  await cache.put('a', blob(1));
  expect(await cache.get('a')).toBe(null);
});
