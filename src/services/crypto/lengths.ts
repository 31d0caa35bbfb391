/** Checks lengths of keys and nonces. A wrong one is a bug of the caller, so every engine throws. */
export function requireLength(value: Uint8Array, length: number, name: string): void {
  if (value.length !== length) throw new RangeError(`${name} must have ${length} bytes, not ${value.length}`);
}

export function requireAead(key: Uint8Array, nonce: Uint8Array): void {
  requireLength(key, 32, 'AEAD key');
  requireLength(nonce, 12, 'AEAD nonce');
}
