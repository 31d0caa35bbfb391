/**
 * Authenticates requests (spec §2.1, T5). Checks that need no body run before it is read; only a valid
 * signature consumes a nonce.
 */

import type { IncomingMessage } from 'node:http';
import { messageOf } from '../contract/errors.ts';
import { ok, type Result } from '../contract/result.ts';
import { fromBase64Url } from '../core/lib/bytes.ts';
import type { Clock, CryptoEngine } from '../core/ports.ts';
import {
  type RequestClaim,
  readRequestClaim,
  requestWindowMs,
  verifyRequest,
} from '../core/puffo/http-signing.ts';
import type { HostText } from '../language/host-message.ts';
import { say } from '../language/say.ts';
import type { Caller } from './context.ts';
import type { NonceStore } from './nonces.ts';
import { type Refusal, refuseRequest } from './refusal.ts';
import { deviceSignerOf, type Signer, signerOf } from './signers.ts';
import type { PeopleRows } from './store-port.ts';

export interface RequestAuthDeps {
  readonly people: PeopleRows;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly replays: NonceStore;
}

export interface Claimed {
  readonly claim: RequestClaim;
  readonly signer: Signer;
}

const unauthorized = (message: HostText) => refuseRequest('UNAUTHORIZED', message);

/** Headers only: form, clock, nonce, and a known signer that is still valid. */
export function readClaim(
  deps: RequestAuthDeps,
  incoming: IncomingMessage,
  key: 'subkey' | 'device',
): Result<Claimed, Refusal> {
  const header = (name: string): string | null => {
    const value = incoming.headers[name];
    return typeof value === 'string' ? value : null;
  };
  const claim = readRequestClaim(header);
  if (!claim.ok) return unauthorized(messageOf(claim.error));
  const now = deps.clock.now();
  if (Math.abs(now - claim.value.timestamp) > requestWindowMs) {
    return unauthorized(say('server.staleRequest'));
  }
  const find = key === 'device' ? deviceSignerOf : signerOf;
  const signer = find(deps.people, claim.value.signerId, now);
  if (signer?.slug !== claim.value.slug) {
    return unauthorized(key === 'device' ? say('relay.deviceUnknown') : say('relay.signingKeyEnded'));
  }
  if (fromBase64Url(claim.value.signature)?.length !== 64) {
    return unauthorized(say('relay.signatureMalformed'));
  }
  if (deps.replays.wasTaken(claim.value.slug, claim.value.nonce)) return sentBefore();
  return ok({ claim: claim.value, signer });
}

const sentBefore = () => unauthorized(say('relay.requestRepeated'));

export function authenticateRequest(
  deps: RequestAuthDeps,
  claimed: Claimed,
  incoming: IncomingMessage,
  body: Uint8Array,
): Result<Caller, Refusal> {
  const now = deps.clock.now();
  const request = { method: incoming.method ?? '', target: incoming.url ?? '', body };
  const held = verifyRequest(deps.crypto, request, claimed.claim, claimed.signer.publicKey, now);
  if (!held.ok) return unauthorized(messageOf(held.error));
  if (!deps.replays.takeOnce(claimed.claim.slug, claimed.claim.nonce, now)) {
    return sentBefore();
  }
  return ok({ slug: claimed.signer.slug, deviceId: claimed.signer.deviceId });
}
