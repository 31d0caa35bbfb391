/** Compares secrets so that the duration reveals neither length nor content. */
import { createHash, timingSafeEqual } from 'node:crypto';

export const secretDigest = (secret: string): Buffer => createHash('sha256').update(secret).digest();

export const isSameSecret = (a: string, b: string): boolean =>
  timingSafeEqual(secretDigest(a), secretDigest(b));

/** The entry whose digest is that of the secret. All entries are compared, also after a match. */
export function findBySecret<T>(
  entries: Iterable<T>,
  digestOf: (entry: T) => Buffer,
  secret: string,
): T | null {
  const wanted = secretDigest(secret);
  let found: T | null = null;
  for (const entry of entries) if (timingSafeEqual(digestOf(entry), wanted)) found = entry;
  return found;
}
