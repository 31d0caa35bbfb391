import { expect, it } from 'vitest';
import { isSameSecret } from './same-secret.ts';

it('tells secrets apart, also those of different lengths', () => {
  expect(isSameSecret('token', 'token')).toBe(true);
  expect(['tokem', 'token ', ''].map((other) => isSameSecret('token', other))).toEqual([false, false, false]);
});
