import { describe, expect, it } from 'vitest';
import { createNobleEngine } from '../../services/crypto/noble-engine.ts';
import { safetyNumber } from './safety-number.ts';

const engine = createNobleEngine();
const identity = (slug: string, byte: number) => ({ slug, root: new Uint8Array(32).fill(byte) });
const number = (one: ReturnType<typeof identity>, other: ReturnType<typeof identity>): string =>
  safetyNumber(engine, one, other);

describe('Safety number', () => {
  const [ada, bob] = [identity('ada-77aa', 1), identity('bob-1f3a', 2)];

  it('is the same on both sides: twelve groups of five digits', () => {
    expect(number(ada, bob)).toBe(number(bob, ada));
    expect(number(ada, bob)).toMatch(/^(\d{5} ){11}\d{5}$/);
  });

  it('T7: differs for another key and for another handle of either side', () => {
    const numbers = [
      number(ada, bob),
      number(ada, identity('bob-1f3a', 3)),
      number(identity('ada-77aa', 3), bob),
      number(ada, identity('bob-1f3b', 2)),
    ];
    expect(new Set(numbers).size).toBe(4);
  });

  it('stays the same in later versions', () => {
    expect(number(ada, bob)).toBe('05634 69074 77148 61372 96485 80875 06317 20685 45567 86844 31466 60049');
  });
});
