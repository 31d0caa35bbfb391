import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { selectCryptoEngine } from '../../services/crypto/select-engine.ts';
import { toBase64Url, utf8 } from '../lib/bytes.ts';
import {
  type RequestToSign,
  readRequestClaim,
  requestWindowMs,
  signRequest,
  verifyRequest,
} from './http-signing.ts';
import { readConnect, signConnect, verifyConnect } from './ws-connect.ts';

const selected = await selectCryptoEngine();
if (!selected.ok) throw new Error(selected.error.message);
const { engine } = selected.value;

const now = 1_778_790_000_000;
const pair = engine.ed25519KeyPair();
const publicKey = toBase64Url(pair.public);
const random = createSeededRandom(7);
const signer = { slug: 'alice-0001', signerId: 'sk_1', secret: pair.secret };
const request: RequestToSign = { method: 'post', target: '/messages?a=%2F', body: utf8('{"a":1}') };
const headers = signRequest(engine, request, signer, now, random);

function check(
  sent: RequestToSign = request,
  change: Readonly<Record<string, string | undefined>> = {},
  at = now,
): string {
  const received: Readonly<Record<string, string | undefined>> = { ...headers, ...change };
  const claim = readRequestClaim((name) => received[name]);
  if (!claim.ok) return claim.error.where ?? '';
  const held = verifyRequest(engine, sent, claim.value, publicKey, at);
  return held.ok ? 'held' : (held.error.where ?? '');
}

describe('Signed requests', () => {
  it('verify for the signed request within five minutes', () => {
    expect(check()).toBe('held');
    expect(check({ ...request, method: 'POST' })).toBe('held');
    expect(check(request, {}, now + requestWindowMs)).toBe('held');
    expect(check(request, {}, now - requestWindowMs)).toBe('held');
    expect(check(request, {}, now + requestWindowMs + 1)).toBe('stale_timestamp');
    expect(check(request, {}, now - requestWindowMs - 1)).toBe('stale_timestamp');
  });

  it('are refused if a byte of body, target or method was changed (T5)', () => {
    const body = request.body ?? new Uint8Array();
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const changed = body.slice();
        changed[at] = (changed[at] ?? 0) ^ mask;
        expect(check({ ...request, body: changed })).toBe('bad_request_signature');
      }),
      { verbose: 1 },
    );
    for (const sent of [
      { ...request, body: null },
      { ...request, body: utf8('{"a":1} ') },
      { ...request, method: 'PUT' },
      { ...request, target: '/messages?a=/' },
      { ...request, target: '/relay/messages?a=%2F' },
    ]) {
      expect(check(sent)).toBe('bad_request_signature');
    }
  });

  it('are refused if a character of a signed header was changed (T5)', () => {
    const names = ['x-puffo-timestamp', 'x-puffo-nonce', 'x-puffo-signature'] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.nat(),
        fc.constantFrom(...'0123456789abcXYZ-_'),
        (name, at, to) => {
          const value = headers[name];
          // The last character of an encoded signature carries only four of its bits.
          const place = at % (value.length - 1);
          fc.pre(value[place] !== to);
          const changed = `${value.slice(0, place)}${to}${value.slice(place + 1)}`;
          expect(check(request, { [name]: changed })).not.toBe('held');
        },
      ),
      { numRuns: 300, verbose: 1 },
    );
  });

  it('require every header in its format', () => {
    for (const name of Object.keys(headers))
      expect(check(request, { [name]: undefined })).toBe('missing_headers');
    expect(check(request, { 'x-puffo-version': 'v2' })).toBe('missing_headers');
    expect(check(request, { 'x-puffo-timestamp': '1e12' })).toBe('missing_headers');
    expect(check(request, { 'x-puffo-timestamp': `0${now}` })).toBe('missing_headers');
    expect(check(request, { 'x-puffo-nonce': 'short' })).toBe('missing_headers');
    expect(check(request, { 'x-puffo-signature': 'AAAA' })).toBe('bad_request_signature');
  });

  it('never repeat a nonce', () => {
    const nonces = Array.from(
      { length: 500 },
      () => signRequest(engine, request, signer, now, random)['x-puffo-nonce'],
    );
    expect(new Set(nonces).size).toBe(500);
  });
});

describe('Connect frames', () => {
  const session = { subkeyId: 'sk_1', secret: pair.secret, expiresAt: now + 1, cert: null };
  const frame = signConnect(engine, { slug: 'alice-0001', session }, now, random);
  const reason = (change: Partial<typeof frame>, at = now) => {
    const held = verifyConnect(engine, { ...frame, ...change }, publicKey, at);
    return held.ok ? 'held' : held.error.where;
  };

  it('verify only for their signer and time', () => {
    expect(readConnect(JSON.parse(JSON.stringify(frame)))).toEqual({ ok: true, value: frame });
    expect(reason({})).toBe('held');
    expect(reason({ slug: 'bob-0002' })).toBe('bad_signature');
    expect(reason({ subkey_id: 'sk_2' })).toBe('bad_signature');
    expect(reason({ nonce: frame.nonce.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')) })).toBe(
      'bad_signature',
    );
    expect(reason({ timestamp: now + 1 })).toBe('bad_signature');
    expect(reason({}, now + requestWindowMs + 1)).toBe('stale_timestamp');
    expect(readConnect({ ...frame, timestamp: String(now) }).ok).toBe(false);
  });
});
