import { createCipheriv, randomBytes, scryptSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isSealed, seal, unseal } from './sealed-bundle.ts';

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

async function sealed(passphrase: string): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of seal(pieces('the root ', 'secret'), passphrase)) all.push(piece);
  return Buffer.concat(all);
}

describe('Encrypted bundle', () => {
  it('opens only with its passphrase and contains no plaintext (T18)', async () => {
    const bundle = await sealed('four words are enough');
    expect(isSealed(bundle)).toBe(true);
    expect(bundle.includes('secret')).toBe(false);
    expect((await unseal(bundle, 'four words are enough')).toString()).toBe('the root secret');
    await expect(unseal(bundle, 'four words are enougH')).rejects.toThrow('not the passphrase');
  });

  it('is refused if any part of it was changed', async () => {
    const bundle = await sealed('p');
    for (const at of [16, 31, 32, 43, 44, bundle.length - 17, bundle.length - 1]) {
      const copy = Buffer.from(bundle);
      copy[at] = (copy[at] ?? 0) ^ 1;
      await expect(unseal(copy, 'p'), `byte ${at}`).rejects.toThrow('was changed');
    }
    await expect(unseal(bundle.subarray(0, 50), 'p')).rejects.toThrow('cut off');
  });

  it('has the layout that puffo-agent reads and writes (spec §5)', async () => {
    const salt = randomBytes(16);
    const nonce = randomBytes(12);
    const mark = Buffer.from('PUFFO-AGENT-V1\0\0');
    const key = scryptSync('pässword', salt, 32, { N: 32_768, r: 8, p: 1, maxmem: 2 ** 26 });
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    cipher.setAAD(Buffer.concat([mark, salt]));
    const body = Buffer.concat([cipher.update('zip'), cipher.final(), cipher.getAuthTag()]);
    expect((await unseal(Buffer.concat([mark, salt, nonce, body]), 'pässword')).toString()).toBe('zip');
  });
});
