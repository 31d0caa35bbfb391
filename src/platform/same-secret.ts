/** Compares secrets so that the duration reveals neither length nor content. */
import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export const isSameSecret = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
