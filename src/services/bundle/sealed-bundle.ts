/**
 * The encrypted bundle `.puffoagent` (spec §5): 16 bytes of magic, 16 of salt, 12 of nonce, then AES-256-GCM
 * over a zip archive, with magic and salt as associated data. The scrypt costs are part of the format.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { say } from '../../language/say.ts';
import { BundleFault } from './bundle-fault.ts';

const mark = Buffer.from('PUFFO-AGENT-V1\0\0', 'latin1');
const saltBytes = 16;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = mark.length + saltBytes + nonceBytes;
const costs = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
/** A bundle is decrypted in memory, so that none of its keys is ever on disk in plain text. */
export const maxBundleBytes = 256 * 1024 * 1024;
/** The format's scrypt costs are modest, so the passphrase must be long. */
export const minPassphrase = 12;

export const isSealed = (head: Uint8Array): boolean =>
  Buffer.from(head.subarray(0, mark.length)).equals(mark);

/** Uses the passphrase without normalisation, because other programs read this format too. */
function keyFrom(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(Buffer.from(passphrase, 'utf8'), salt, 32, costs, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

export async function* seal(
  pieces: AsyncIterable<Uint8Array>,
  passphrase: string,
): AsyncGenerator<Uint8Array> {
  const salt = randomBytes(saltBytes);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', await keyFrom(passphrase, salt), nonce);
  cipher.setAAD(Buffer.concat([mark, salt]));
  yield Buffer.concat([mark, salt, nonce]);
  let total = headBytes + tagBytes;
  for await (const piece of pieces) {
    total += piece.length;
    if (total > maxBundleBytes) {
      throw new BundleFault('too_large', say('moving.encryptedTooLarge'), {
        hint: say('moving.moveLargeFilesOut'),
      });
    }
    yield cipher.update(piece);
  }
  yield Buffer.concat([cipher.final(), cipher.getAuthTag()]);
}

export async function unseal(bytes: Buffer, passphrase: string): Promise<Buffer> {
  if (bytes.length < headBytes + tagBytes) {
    throw new BundleFault('invalid_input', say('moving.bundleCutOff'));
  }
  const salt = bytes.subarray(mark.length, mark.length + saltBytes);
  const nonce = bytes.subarray(mark.length + saltBytes, headBytes);
  const key = await keyFrom(passphrase, salt);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.concat([mark, salt]));
  decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes));
  const opened = decipher.update(bytes.subarray(headBytes, bytes.length - tagBytes));
  try {
    decipher.final();
    return opened;
  } catch {
    throw new BundleFault('unauthenticated', say('moving.wrongPassphrase'), {
      hint: say('logins.tryAgain'),
    });
  }
}
