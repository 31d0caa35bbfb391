import { expect, it } from 'vitest';
import { isSameSecret } from './same-secret.ts';

it('Secrets of equal and different lengths are compared correctly', () => {
  expect(isSameSecret('token', 'token')).toBe(true);
  expect(['tokem', 'token ', ''].map((other) => isSameSecret('token', other))).toEqual([false, false, false]);
});
