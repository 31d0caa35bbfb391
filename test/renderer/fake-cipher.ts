/** Text that looks sealed. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Looks like ciphertext, the same every time. */
export function noise(seed: number, length: number): string {
  let state = seed * 2654435761;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    text += alphabet[state >>> 26] ?? '';
  }
  return text;
}
