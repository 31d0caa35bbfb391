/** Repeatable random numbers for tests (mulberry32): the same seed gives the same sequence. */
import type { Random } from '../../src/core/ports.ts';

export function createSeededRandom(seed: number): Random {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const bytes = (length: number): Uint8Array =>
    Uint8Array.from({ length }, () => Math.floor(fraction() * 256));
  return {
    fraction,
    bytes,
    uuid: () => {
      const hex = Array.from(bytes(16), (byte) => byte.toString(16).padStart(2, '0')).join('');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
  };
}
