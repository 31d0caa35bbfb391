import { expect, it } from 'vitest';
import { findBySecret, isSameSecret, secretDigest } from './same-secret.ts';

it('Secrets of equal and different lengths are compared correctly', () => {
  expect(isSameSecret('token', 'token')).toBe(true);
  expect(['tokem', 'token ', ''].map((other) => isSameSecret('token', other))).toEqual([false, false, false]);
});

it('A secret finds its entry by digest, and no other secret does', () => {
  const entries = ['one', 'two'].map((name) => ({ name, digest: secretDigest(`secret ${name}`) }));
  const find = (secret: string) => findBySecret(entries, ({ digest }) => digest, secret)?.name ?? null;
  expect(['secret one', 'secret two', 'secret', ''].map(find)).toEqual(['one', 'two', null, null]);
});
