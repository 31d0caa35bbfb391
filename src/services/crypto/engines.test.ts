import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js';
import { sha512 } from '@noble/hashes/sha2.js';
import sodium from 'sodium-native';
import { describe, expect, it } from 'vitest';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { seed } from '../../../test/fakes/test-run.ts';
import { concat, fromHex, toHex } from '../../core/lib/bytes.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import { createNobleEngine } from './noble-engine.ts';
import { createNodeEngine } from './node-engine.ts';
import { createSodiumEngine } from './sodium-engine.ts';

const noble = createNobleEngine();
const engines: readonly CryptoEngine[] = [
  createSodiumEngine(sodium),
  createNodeEngine(noble),
  { ...createNodeEngine(noble, false), name: 'node as inside Electron' },
  noble,
];

const { Point } = ed25519;
const order = Point.Fn.ORDER;
type EdPoint = typeof Point.BASE;

const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${toHex(bytes.slice().reverse()) || '0'}`);
const toBytes = (value: bigint): Uint8Array =>
  (fromHex(value.toString(16).padStart(64, '0')) ?? new Uint8Array()).reverse();

interface Forged {
  readonly signature: Uint8Array;
  readonly message: Uint8Array;
  readonly key: Uint8Array;
}

/** Signs with chosen points, so that the equation holds up to their torsion parts. */
function forge(
  secret: bigint,
  nonce: bigint,
  keyTorsion: EdPoint,
  nonceTorsion: EdPoint,
  message: Uint8Array,
): Forged {
  const key = Point.BASE.multiply(secret).add(keyTorsion).toBytes();
  const r = Point.BASE.multiply(nonce).add(nonceTorsion).toBytes();
  const k = toNumber(sha512(concat(r, key, message))) % order;
  return { signature: concat(r, toBytes((nonce + k * secret) % order)), message, key };
}

const verdicts = ({ signature, message, key }: Forged): readonly boolean[] =>
  engines.map((engine) => engine.ed25519Verify(signature, message, key));
const all = (verdict: boolean) => engines.map(() => verdict);

describe('Crypto engines', () => {
  it('accept a signature only without torsion in key and nonce, for all combinations (T30)', () => {
    const random = createSeededRandom(seed);
    const scalar = (): bigint => (toNumber(random.bytes(32)) % (order - 1n)) + 1n;
    const torsion = ED25519_TORSION_SUBGROUP.map((encoded) => Point.fromHex(encoded));
    for (const [i, inKey] of torsion.entries()) {
      for (const [j, inNonce] of torsion.entries()) {
        const forged = forge(scalar(), scalar(), inKey, inNonce, random.bytes(20));
        expect(verdicts(forged), `torsion ${i} in the key, ${j} in R`).toEqual(all(i === 0 && j === 0));
      }
    }
  });

  it('refuse malleable and malformed signatures (T30)', () => {
    const random = createSeededRandom(seed);
    const good = forge(77n, 99n, Point.ZERO, Point.ZERO, random.bytes(10));
    expect(verdicts(good)).toEqual(all(true));
    const s = toNumber(good.signature.subarray(32));
    const withS = (value: bigint): Forged => ({
      ...good,
      signature: concat(good.signature.subarray(0, 32), toBytes(value)),
    });
    for (let n = 1n; n <= 14n; n += 1n) expect(verdicts(withS(s + n * order))).toEqual(all(false));
    expect(verdicts(withS(0n))).toEqual(all(false));
    expect(verdicts(withS(order))).toEqual(all(false));
    for (const length of [0, 63]) {
      expect(verdicts({ ...good, signature: good.signature.subarray(0, length) })).toEqual(all(false));
    }
    expect(verdicts({ ...good, signature: concat(good.signature, Uint8Array.of(0)) })).toEqual(all(false));
    expect(verdicts({ ...good, key: good.key.subarray(1) })).toEqual(all(false));
  });

  it('refuse keys that are not canonical encodings (T30)', () => {
    const field = 2n ** 255n - 19n;
    const message = new Uint8Array(3);
    for (let y = 0n; y < 19n; y += 1n) {
      for (const sign of [0n, 1n << 255n]) {
        const key = toBytes(field + y + sign);
        const r = Point.BASE.multiply(5n).toBytes();
        const forged = { signature: concat(r, toBytes(5n)), message, key };
        expect(verdicts(forged)).toEqual(all(false));
      }
    }
  });

  it('refuse a signature with any of a thousand bits flipped', () => {
    const random = createSeededRandom(seed);
    const [fast] = engines;
    if (!fast) throw new Error('no engine');
    const pair = fast.ed25519KeyPair(random.bytes(32));
    const message = random.bytes(50);
    const signature = fast.ed25519Sign(message, pair.secret);
    for (let i = 0; i < 1_000; i += 1) {
      const bit = Math.floor(random.fraction() * 512);
      const flipped = signature.slice();
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(fast.ed25519Verify(flipped, message, pair.public)).toBe(false);
    }
  });

  it('agree on keys, signatures, shared secrets and hashes of random input', () => {
    const random = createSeededRandom(seed);
    for (let round = 0; round < 10; round += 1) {
      const secret = random.bytes(32);
      const other = noble.x25519KeyPair(random.bytes(32)).public;
      const data = random.bytes(Math.floor(random.fraction() * 3_000));
      const answers = engines.map((engine) =>
        [
          engine.ed25519KeyPair(secret).public,
          engine.x25519KeyPair(secret).public,
          engine.ed25519Sign(data, secret),
          engine.x25519(secret, other) ?? new Uint8Array(),
          engine.sha256(data),
          engine.hmacSha256(data.subarray(0, 100), data),
          engine.hmacSha256(secret, data),
        ].map(toHex),
      );
      for (const answer of answers) expect(answer).toEqual(answers[0]);
    }
  });

  it('agree on sealing, opening and streaming in random pieces', () => {
    const random = createSeededRandom(seed);
    const key = random.bytes(32);
    for (const length of [0, 1, 15, 16, 64, 1_000, 1_024, 70_000]) {
      const [nonce, aad, data] = [random.bytes(12), random.bytes(length % 40), random.bytes(length)];
      const expected = toHex(noble.aeadSeal(key, nonce, aad, data));
      for (const engine of engines) {
        const sealed = engine.aeadSeal(key, nonce, aad, data);
        expect(toHex(sealed), engine.name).toBe(expected);
        expect(toHex(engine.aeadOpen(key, nonce, aad, sealed) ?? new Uint8Array(1)), engine.name).toBe(
          toHex(data),
        );
        expect(engine.aeadOpen(key, nonce, aad, sealed.subarray(0, -1)), engine.name).toBeNull();
        const sealing = engine.aeadSealStream(key, nonce, aad);
        const opening = engine.aeadOpenStream(key, nonce, aad);
        const [out, back]: [Uint8Array[], Uint8Array[]] = [[], []];
        for (let at = 0; at < length; ) {
          const size = 1 + Math.floor(random.fraction() * 5_000);
          const piece = sealing.update(data.subarray(at, at + size)).slice();
          out.push(piece);
          back.push(opening.update(piece).slice());
          at += size;
        }
        const tag = sealing.finish();
        expect(toHex(concat(...out, tag)), engine.name).toBe(expected);
        expect(opening.finish(tag), engine.name).toBe(true);
        expect(toHex(concat(...back)), engine.name).toBe(toHex(data));
      }
    }
  });

  it('throw a RangeError on wrong lengths', () => {
    const bytes = (length: number): Uint8Array => new Uint8Array(length);
    for (const engine of engines) {
      expect(() => engine.aeadSeal(bytes(31), bytes(12), bytes(0), bytes(0)), engine.name).toThrow(
        RangeError,
      );
      expect(() => engine.aeadOpen(bytes(32), bytes(8), bytes(0), bytes(16)), engine.name).toThrow(
        RangeError,
      );
      expect(() => engine.aeadSealStream(bytes(32), bytes(11), bytes(0)), engine.name).toThrow(RangeError);
      expect(() => engine.x25519(bytes(32), bytes(31)), engine.name).toThrow(RangeError);
      expect(() => engine.ed25519KeyPair(bytes(33)), engine.name).toThrow(RangeError);
    }
  });

  it('use the new key if a key buffer was overwritten', () => {
    for (const engine of engines) {
      const buffer = new Uint8Array(32).fill(1);
      const before = engine.ed25519Sign(buffer, buffer);
      buffer.fill(2);
      const expected = noble.ed25519Sign(new Uint8Array(32).fill(2), new Uint8Array(32).fill(2));
      expect(toHex(engine.ed25519Sign(buffer, buffer)), engine.name).toBe(toHex(expected));
      expect(toHex(before)).not.toBe(toHex(expected));
    }
  });

  it('create distinct keys and random bytes', () => {
    for (const engine of engines) {
      const seen = new Set<string>();
      for (let i = 0; i < 20; i += 1) {
        const [signing, agreeing] = [engine.ed25519KeyPair(), engine.x25519KeyPair()];
        expect(toHex(noble.ed25519KeyPair(signing.secret).public), engine.name).toBe(toHex(signing.public));
        expect(toHex(noble.x25519KeyPair(agreeing.secret).public), engine.name).toBe(toHex(agreeing.public));
        for (const bytes of [signing.secret, agreeing.secret, engine.randomBytes(32)]) seen.add(toHex(bytes));
      }
      expect(seen.size, engine.name).toBe(60);
    }
  });
});
