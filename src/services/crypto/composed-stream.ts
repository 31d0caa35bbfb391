/**
 * RFC 8439 ChaCha20-Poly1305 in pieces, composed from a raw ChaCha20 and an incremental Poly1305, for engines
 * without a streaming AEAD. Memory use does not depend on the length of the message.
 */

import { equalBytes } from '../../core/lib/bytes.ts';
import type { AeadOpenStream, AeadSealStream } from '../../core/ports.ts';

export interface StreamParts {
  /** ChaCha20 (IETF) of `input` into `output` of the same length, starting at the given 64-byte block. */
  xor(input: Uint8Array, block: number, output: Uint8Array): void;
  /** Poly1305 over all data passed to `update`. */
  mac(oneTimeKey: Uint8Array): { update(data: Uint8Array): void; tag(): Uint8Array };
}

const blockBytes = 64;

const padding = (length: number): Uint8Array => new Uint8Array((16 - (length % 16)) % 16);

function lengths(aad: number, text: number): Uint8Array {
  const out = new Uint8Array(16);
  const view = new DataView(out.buffer);
  view.setBigUint64(0, BigInt(aad), true);
  view.setBigUint64(8, BigInt(text), true);
  return out;
}

/**
 * Keeps the position in the key stream, so pieces may have any length. One output buffer serves all pieces,
 * because allocating one for each would cost as much as the cipher.
 */
function keyStream(parts: StreamParts): (piece: Uint8Array) => Uint8Array {
  const scratch = new Uint8Array(blockBytes);
  let buffer = new Uint8Array(0);
  let block = 1;
  let offset = 0;
  return (piece) => {
    if (buffer.length < piece.length) buffer = new Uint8Array(piece.length);
    const out = buffer.subarray(0, piece.length);
    let done = 0;
    if (offset > 0) {
      done = Math.min(blockBytes - offset, piece.length);
      scratch.set(piece.subarray(0, done), offset);
      const mixed = new Uint8Array(blockBytes);
      parts.xor(scratch, block, mixed);
      out.set(mixed.subarray(offset, offset + done));
      offset += done;
      if (offset === blockBytes) {
        offset = 0;
        block += 1;
      }
    }
    if (done < piece.length) {
      const rest = piece.subarray(done);
      parts.xor(rest, block, out.subarray(done));
      block += Math.floor(rest.length / blockBytes);
      offset = rest.length % blockBytes;
    }
    return out;
  };
}

function authenticator(parts: StreamParts, aad: Uint8Array) {
  const oneTimeKey = new Uint8Array(32);
  parts.xor(new Uint8Array(32), 0, oneTimeKey);
  const mac = parts.mac(oneTimeKey);
  mac.update(aad);
  mac.update(padding(aad.length));
  let total = 0;
  return {
    update(ciphertext: Uint8Array): void {
      total += ciphertext.length;
      mac.update(ciphertext);
    },
    tag(): Uint8Array {
      mac.update(padding(total));
      mac.update(lengths(aad.length, total));
      return mac.tag();
    },
  };
}

export function composedSealStream(parts: StreamParts, aad: Uint8Array): AeadSealStream {
  const cipher = keyStream(parts);
  const auth = authenticator(parts, aad);
  return {
    update(piece) {
      const out = cipher(piece);
      auth.update(out);
      return out;
    },
    finish: () => auth.tag(),
  };
}

export function composedOpenStream(parts: StreamParts, aad: Uint8Array): AeadOpenStream {
  const cipher = keyStream(parts);
  const auth = authenticator(parts, aad);
  return {
    update(piece) {
      auth.update(piece);
      return cipher(piece);
    },
    finish: (tag) => equalBytes(auth.tag(), tag),
  };
}
