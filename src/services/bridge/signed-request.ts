/**
 * Requests signed by the paired device (spec §4.2): the checks in the order, and with the texts, that clients
 * know. A nonce is stored only after a valid signature, so that no one else can use nonces up.
 */
import { err, ok, type Result } from '../../contract/result.ts';
import { fromBase64Url } from '../../core/lib/bytes.ts';
import type { Clock, CryptoEngine } from '../../core/ports.ts';
import { requestSigningBytes, requestWindowMs } from '../../core/puffo/http-signing.ts';
import type { BridgeRequest } from './bridge-types.ts';
import type { NonceBook } from './nonce-store.ts';
import type { Pairing } from './pairing-file.ts';

export interface SignedDeps {
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly nonces: NonceBook;
}

export interface SignedHeaders {
  readonly slug: string;
  readonly signer: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
}

/** Members are empty if the header is missing. */
export function signedHeaders({ headers }: Pick<BridgeRequest, 'headers'>): SignedHeaders {
  const read = (name: string): string => headers[`x-puffo-${name}`] ?? '';
  return {
    slug: read('slug'),
    signer: read('signer-id'),
    timestamp: read('timestamp'),
    nonce: read('nonce'),
    signature: read('signature'),
  };
}

/** ms since the epoch; `null` if missing, not a number, or more than five minutes off. */
function freshTime({ timestamp }: SignedHeaders, now: number): number | null {
  if (!/^\d{1,16}$/.test(timestamp)) return null;
  const time = Number(timestamp);
  return Math.abs(now - time) > requestWindowMs ? null : time;
}

/** The fault of the signature, or `null` if it is valid. */
export function signatureFault(
  crypto: CryptoEngine,
  request: BridgeRequest,
  { timestamp, nonce, signature }: SignedHeaders,
  key: Uint8Array,
): string | null {
  const bytes = fromBase64Url(signature);
  if (bytes?.length !== 64) return `signature must be 64 bytes, got ${bytes?.length ?? 0}`;
  const signed = requestSigningBytes(request, timestamp, nonce);
  return crypto.ed25519Verify(bytes, signed, key) ? null : 'signature verification failed';
}

/** Checks signed requests against the clock and the nonces used so far. */
export interface BridgeSignatures {
  /** The time of the request in ms, or `null` if it is stale or older than the remembered nonces. */
  freshTime(claim: SignedHeaders): number | null;
  /** Checks the headers alone: returns the pairing that the request claims, or the text of the 401. */
  checkClaim(request: Pick<BridgeRequest, 'headers'>, pairing: Pairing | null): Result<Pairing, string>;
  /** The pairing under which the request was signed, or the text of the 401. */
  authenticate(request: BridgeRequest, paired: Pairing | null): Result<Pairing, string>;
  isUsed(claim: SignedHeaders): boolean;
  /** Stores the nonce of a valid request. */
  use(claim: SignedHeaders, time: number): void;
}

export function createBridgeSignatures({ crypto, clock, nonces }: SignedDeps): BridgeSignatures {
  const recentTime = (claim: SignedHeaders): number | null => {
    const time = freshTime(claim, clock.now());
    return time !== null && nonces.remembers(time) ? time : null;
  };
  const isUsed = ({ signer, nonce }: SignedHeaders): boolean => nonces.used(signer, nonce);
  const use = ({ signer, nonce }: SignedHeaders, time: number): void =>
    nonces.use(signer, nonce, time, clock.now());
  const checkClaim: BridgeSignatures['checkClaim'] = (request, pairing) => {
    if (!pairing) return err('not paired');
    const claim = signedHeaders(request);
    if (Object.values(claim).includes('')) return err('missing x-puffo-* headers');
    if (claim.slug !== pairing.slug || claim.signer !== pairing.device_id)
      return err('not the paired identity');
    if (recentTime(claim) === null) return err('stale or missing timestamp');
    if (claim.nonce.length > 200) return err('nonce too long');
    if (isUsed(claim)) return err('nonce already used');
    return ok(pairing);
  };
  return {
    freshTime: recentTime,
    checkClaim,
    isUsed,
    use,
    authenticate(request, paired) {
      const claimed = checkClaim(request, paired);
      if (!claimed.ok) return claimed;
      const pairing = claimed.value;
      const claim = signedHeaders(request);
      const key = fromBase64Url(pairing.device_signing_public_key);
      if (key?.length !== 32) return err('paired device pubkey corrupt');
      const fault = signatureFault(crypto, request, claim, key);
      if (fault !== null) return err(fault);
      use(claim, Number(claim.timestamp));
      return ok(pairing);
    },
  };
}
