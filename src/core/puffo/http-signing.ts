/**
 * Signed requests (spec §2.1): one signature over method, target, time, nonce and the exact body bytes.
 * Verification checks the ±5 min window and the signature; the server stores nonces, because they must
 * survive a restart (T5).
 */
import { ok, type Result } from '../../contract/result.ts';
import { say } from '../../language/say.ts';
import { concat, fromBase64Url, toBase64Url, utf8 } from '../lib/bytes.ts';
import type { CryptoEngine, Random } from '../ports.ts';
import { refuseWire } from './refusal.ts';

/** Timestamps further away are refused; exactly this distance passes. */
export const requestWindowMs = 300_000;

export interface RequestToSign {
  readonly method: string;
  /** Path and query exactly as sent, without the server's own path prefix. */
  readonly target: string;
  readonly body: Uint8Array | null;
}

/** `signerId`: a subkey id, or the device id if the device key signs. */
export interface RequestSigner {
  readonly slug: string;
  readonly signerId: string;
  readonly secret: Uint8Array;
}

export interface RequestHeaders extends Record<string, string> {
  'x-puffo-version': string;
  'x-puffo-slug': string;
  'x-puffo-signer-id': string;
  'x-puffo-timestamp': string;
  'x-puffo-nonce': string;
  'x-puffo-signature': string;
}

/** METHOD LF target LF timestamp LF nonce LF body. */
export function requestSigningBytes(request: RequestToSign, timestamp: string, nonce: string): Uint8Array {
  const head = utf8(`${request.method.toUpperCase()}\n${request.target}\n${timestamp}\n${nonce}\n`);
  return request.body ? concat(head, request.body) : head;
}

/** `now` in ms since the epoch. The caller sets the content type, which is not signed. */
export function signRequest(
  engine: CryptoEngine,
  request: RequestToSign,
  signer: RequestSigner,
  now: number,
  random: Pick<Random, 'bytes'>,
): RequestHeaders {
  const timestamp = String(now);
  const nonce = toBase64Url(random.bytes(16));
  return {
    'x-puffo-version': 'v1',
    'x-puffo-slug': signer.slug,
    'x-puffo-signer-id': signer.signerId,
    'x-puffo-timestamp': timestamp,
    'x-puffo-nonce': nonce,
    'x-puffo-signature': toBase64Url(
      engine.ed25519Sign(requestSigningBytes(request, timestamp, nonce), signer.secret),
    ),
  };
}

export interface RequestClaim {
  readonly slug: string;
  readonly signerId: string;
  readonly timestamp: number;
  readonly nonce: string;
  readonly signature: string;
}

const decimal = /^(0|[1-9]\d{0,15})$/;
const nonceForm = /^[A-Za-z0-9_-]{16,64}$/;

/** Unverified sender of a request. `header` looks up a lower-case name. Error: `missing_headers`. */
export function readRequestClaim(header: (name: string) => string | null | undefined): Result<RequestClaim> {
  const read = (name: string): string => header(`x-puffo-${name}`) ?? '';
  const timestamp = read('timestamp');
  const claim = {
    slug: read('slug'),
    signerId: read('signer-id'),
    timestamp: Number(timestamp),
    nonce: read('nonce'),
    signature: read('signature'),
  };
  const whole =
    read('version') === 'v1' &&
    claim.slug !== '' &&
    claim.slug.length <= 200 &&
    claim.signerId !== '' &&
    claim.signerId.length <= 200 &&
    decimal.test(timestamp) &&
    nonceForm.test(claim.nonce) &&
    claim.signature !== '';
  return whole ? ok(claim) : refuseWire('missing_headers', say('server.requestNotSigned'));
}

/** `publicKey`: base64url key of `claim.signerId`. Errors: `stale_timestamp`, `bad_request_signature`. */
export function verifyRequest(
  engine: CryptoEngine,
  request: RequestToSign,
  claim: RequestClaim,
  publicKey: string,
  now: number,
): Result<void> {
  if (Math.abs(now - claim.timestamp) > requestWindowMs) {
    return refuseWire('stale_timestamp', say('server.staleRequest'));
  }
  const key = fromBase64Url(publicKey);
  const signature = fromBase64Url(claim.signature);
  const bytes = requestSigningBytes(request, String(claim.timestamp), claim.nonce);
  if (key?.length !== 32 || signature?.length !== 64 || !engine.ed25519Verify(signature, bytes, key)) {
    return refuseWire('bad_request_signature', say('server.invalidRequestSignature'));
  }
  return ok(undefined);
}
