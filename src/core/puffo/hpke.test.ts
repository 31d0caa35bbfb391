import { Chacha20Poly1305 } from '@hpke/chacha20poly1305';
import { CipherSuite, HkdfSha256 } from '@hpke/core';
import { DhkemX25519HkdfSha256 } from '@hpke/dhkem-x25519';
import { describe, expect, it } from 'vitest';
import { createNobleEngine } from '../../services/crypto/noble-engine.ts';
import { fromHex, toHex, utf8 } from '../lib/bytes.ts';
import { hpkeOpen, hpkeSeal } from './hpke.ts';

const engine = createNobleEngine();
const hex = (text: string): Uint8Array => fromHex(text) ?? new Uint8Array();
const info = utf8('puffo/msg-hpke/v1');
const aad = utf8('a place');

const lowOrder = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
].map(hex);

describe('HPKE', () => {
  it('reproduces RFC 9180 A.2.1, first message', () => {
    const recipient = engine.x25519KeyPair(
      hex('8057991eef8f1f1af18f4a9491d16a1ce333f695d4db8e38da75975c4478e0fb'),
    );
    const ephemeral = engine.x25519KeyPair(
      hex('f4ec9b33b792c372c1d2c2063507b684ef925b8c75a42dbcbf57d63ccd381600'),
    );
    const urn = hex('4f6465206f6e2061204772656369616e2055726e');
    const count = hex('436f756e742d30');
    const text = hex('4265617574792069732074727574682c20747275746820626561757479');
    const sealed = hpkeSeal(engine, recipient.public, urn, count, text, ephemeral);
    expect(sealed && [toHex(sealed.enc), toHex(sealed.ciphertext)]).toEqual([
      '1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a',
      '1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db21993c62ce81883d2dd1b51a28',
    ]);
    expect(sealed && hpkeOpen(engine, recipient, sealed, urn, count)).toEqual(text);
  });

  it('interoperates with @hpke/core in both directions', async () => {
    const suite = new CipherSuite({
      kem: new DhkemX25519HkdfSha256(),
      kdf: new HkdfSha256(),
      aead: new Chacha20Poly1305(),
    });
    const recipient = engine.x25519KeyPair();
    const plaintext = engine.randomBytes(32);
    const buffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;
    const publicKey = await suite.kem.importKey('raw', buffer(recipient.public), true);
    const privateKey = await suite.kem.importKey('raw', buffer(recipient.secret), false);

    const ours = hpkeSeal(engine, recipient.public, info, aad, plaintext);
    if (!ours) throw new Error('not sealed');
    const theirReading = await suite.open(
      { recipientKey: privateKey, enc: buffer(ours.enc), info: buffer(info) },
      buffer(ours.ciphertext),
      buffer(aad),
    );
    expect(new Uint8Array(theirReading)).toEqual(plaintext);

    const theirs = await suite.seal(
      { recipientPublicKey: publicKey, info: buffer(info) },
      buffer(plaintext),
      buffer(aad),
    );
    const sealed = { enc: new Uint8Array(theirs.enc), ciphertext: new Uint8Array(theirs.ct) };
    expect(hpkeOpen(engine, recipient, sealed, info, aad)).toEqual(plaintext);
  });

  it('refuses low-order keys for seal and open (T30)', () => {
    const recipient = engine.x25519KeyPair();
    for (const key of lowOrder) {
      expect(hpkeSeal(engine, key, info, aad, new Uint8Array(32))).toBeNull();
      expect(hpkeOpen(engine, recipient, { enc: key, ciphertext: new Uint8Array(48) }, info, aad)).toBeNull();
    }
  });

  it('refuses another info, AAD, recipient or ciphertext', () => {
    const recipient = engine.x25519KeyPair();
    const sealed = hpkeSeal(engine, recipient.public, info, aad, utf8('key'));
    if (!sealed) throw new Error('not sealed');
    const flipped = sealed.ciphertext.slice();
    flipped[0] = (flipped[0] ?? 0) ^ 1;
    expect(hpkeOpen(engine, recipient, sealed, info, aad)).toEqual(utf8('key'));
    expect(hpkeOpen(engine, recipient, sealed, utf8('puffo/rke-hpke/v1'), aad)).toBeNull();
    expect(hpkeOpen(engine, recipient, sealed, info, utf8('elsewhere'))).toBeNull();
    expect(hpkeOpen(engine, engine.x25519KeyPair(), sealed, info, aad)).toBeNull();
    expect(hpkeOpen(engine, recipient, { ...sealed, ciphertext: flipped }, info, aad)).toBeNull();
    expect(hpkeOpen(engine, recipient, { ...sealed, enc: sealed.enc.subarray(1) }, info, aad)).toBeNull();
  });
});
