/** Checks Ed25519 public keys, for engines whose library does not. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { Recent } from './key-cache.ts';

export const { Point } = ed25519;
export type EdwardsPoint = InstanceType<typeof Point>;

function decode(publicKey: Uint8Array): EdwardsPoint | null {
  try {
    const point = Point.fromBytes(publicKey);
    return !point.isSmallOrder() && point.isTorsionFree() ? point : null;
  } catch {
    return null;
  }
}

const points = new Recent<{ readonly point: EdwardsPoint | null }>(2_000);

/** `null` unless the key is canonical, on the curve, not of small order and inside the prime-order group. */
export const primeOrderPoint = (publicKey: Uint8Array): EdwardsPoint | null =>
  points.get(publicKey, () => ({ point: decode(publicKey) })).point;
