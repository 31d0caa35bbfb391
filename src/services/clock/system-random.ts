/** The operating system's randomness behind the `Random` port. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Random } from '../../core/ports.ts';

export function createSystemRandom(): Random {
  return {
    bytes: (length) => new Uint8Array(randomBytes(length)),
    uuid: () => randomUUID(),
    fraction: () => Math.random(),
  };
}
