const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Text that looks like ciphertext, the same for each seed. */
export function noise(seed: number, length: number): string {
  let state = seed * 2654435761;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    text += alphabet[state >>> 26] ?? '';
  }
  return text;
}
