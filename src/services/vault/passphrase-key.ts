/**
 * Derives the key that wraps the master key from a passphrase: scrypt (RFC 7914), with its costs stored
 * beside the result.
 */
import { scrypt } from 'node:crypto';
import { z } from 'zod';

/** About 128 MiB and half a second, for each guess too. */
export const scryptCosts = { n: 2 ** 17, r: 8, p: 1 } as const;

/** Upper bounds, so that an edited file cannot request all memory. */
export const scryptSchema = z.object({
  n: z
    .number()
    .int()
    .min(2)
    .max(2 ** 20),
  r: z.number().int().min(1).max(32),
  p: z.number().int().min(1).max(16),
  /** base64url of 16 bytes. */
  salt: z.string().min(22).max(24),
});
export type ScryptCosts = Omit<z.infer<typeof scryptSchema>, 'salt'>;

/** NFKC gives the same key for the same passphrase typed on another keyboard or system. */
export function passphraseKey(passphrase: string, salt: Uint8Array, costs: ScryptCosts): Promise<Uint8Array> {
  const { n, r, p } = costs;
  return new Promise((resolve, reject) => {
    const text = passphrase.normalize('NFKC');
    scrypt(text, salt, 32, { N: n, r, p, maxmem: 128 * n * r * 2 + 1024 * 1024 }, (error, key) => {
      if (error) reject(error);
      else resolve(new Uint8Array(key));
    });
  });
}
