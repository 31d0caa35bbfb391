import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { sha256 } from './sha256.ts';

const whole = (text: string): string => createHash('sha256').update(text).digest('hex');
const hexOf = (data: Uint8Array | string): string => Buffer.from(sha256(data)).toString('hex');

it('hashes the UTF-8 bytes of strings and buffers of any length', () => {
  // A surrogate pair at every border of two pieces, whatever their length.
  const large = `a${'😀'.repeat(100_000)}`;
  for (const text of ['', 'é', large, large.slice(1)]) expect(hexOf(text)).toBe(whole(text));
  expect(hexOf(Buffer.from(large))).toBe(whole(large));
});

it('hashes lone surrogates around chunk boundaries like the whole string', () => {
  const broken = '\ud800';
  for (let before = 65_530; before < 65_540; before += 1) {
    const text = `${'a'.repeat(before)}${broken}😀${broken}${'b'.repeat(before)}`;
    expect(hexOf(text), String(before)).toBe(whole(text));
  }
});
