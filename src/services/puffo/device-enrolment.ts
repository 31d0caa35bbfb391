/**
 * Enrols a second device of one person (spec §2.3): the new device requests unsigned and trusts only what its
 * own keys decrypt; the device with the root key admits exactly the keys that a person has compared. The
 * server in between is not trusted (T7).
 */
import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { fromBase64Url, toBase64Url } from '../../core/lib/bytes.ts';
import type { Clock, CryptoEngine } from '../../core/ports.ts';
import { createDeviceRevocation } from '../../core/puffo/certificates.ts';
import {
  admitDevice,
  type EnrolmentRequest,
  enrolmentCode,
  enrolmentFingerprint,
  enrolmentWords,
  readEnrolmentCode,
  takeAdmission,
} from '../../core/puffo/enrolment.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import { createServerClock } from './clock-skew.ts';
import { readAnswer } from './read-answer.ts';
import { isTransient, plainError } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';
import { createTransport } from './transport.ts';

interface Deps {
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
}

/** State of the new device until it is admitted; holds secrets, base64url. */
export const pendingDeviceSchema = z.object({
  serverUrl: z.string(),
  nonce: z.string(),
  signing: z.string(),
  kem: z.string(),
  /** Expiry, ms since the epoch. */
  until: z.number(),
});
export type PendingDevice = z.infer<typeof pendingDeviceSchema>;

export interface ShownDeviceCode {
  readonly code: string;
  readonly words: string;
}

const initAnswer = z.looseObject({ expires_at: z.number().nullish() });
const lookAnswer = z.looseObject({
  nonce: z.string(),
  device_signing_public_key: z.string(),
  device_kem_public_key: z.string(),
  expires_at: z.number().nullish(),
});
const pollAnswer = z.looseObject({
  state: z.string().nullish(),
  completion: z

    .looseObject({
      device_cert: z.unknown(),
      root_key_envelope: z.unknown(),
      slug_binding: z.unknown(),
      identity_cert: z.unknown(),
      identity_profile: z.looseObject({ display_name: z.string().nullish() }).nullish(),
    })
    .nullish(),
});

/** Lifetime of a request in ms if the server states none. */
const usualLifeMs = 10 * 60_000;
const oddAnswer = fail('protocol', 'server.invalidAnswer');

async function unsigned(
  { clock }: Deps,
  serverUrl: string,
  request: { readonly method: 'GET' | 'POST'; readonly target: string; readonly body?: object },
) {
  const transport = createTransport(serverUrl, clock);
  try {
    const answer = await transport.send({
      method: request.method,
      target: request.target,
      headers: { 'content-type': 'application/json' },
      body: request.body ? new TextEncoder().encode(JSON.stringify(request.body)) : null,
    });
    return readAnswer(answer, createServerClock(clock));
  } finally {
    transport.close();
  }
}

function shownOf(crypto: CryptoEngine, request: EnrolmentRequest): ShownDeviceCode | null {
  const print = enrolmentFingerprint(crypto, request);
  return print && { code: enrolmentCode(print), words: enrolmentWords(print) };
}

/** `keep` makes the keys durable before they are sent to the server. */
export async function askToJoin(
  deps: Deps,
  serverUrl: string,
  keep: (pending: PendingDevice) => Result<void>,
): Promise<Result<ShownDeviceCode & { readonly until: number }>> {
  const { crypto, clock } = deps;
  const [signing, kem] = [crypto.ed25519KeyPair(), crypto.x25519KeyPair()];
  const request = {
    nonce: toBase64Url(crypto.randomBytes(32)),
    signingPublicKey: toBase64Url(signing.public),
    kemPublicKey: toBase64Url(kem.public),
  };
  const print = enrolmentFingerprint(crypto, request);
  const shown = shownOf(crypto, request);
  if (!print || !shown) return err(fail('internal', 'server.deviceKeysFailed'));
  const pending = {
    serverUrl,
    nonce: request.nonce,
    signing: toBase64Url(signing.secret),
    kem: toBase64Url(kem.secret),
    until: clock.now() + usualLifeMs,
  };
  const kept = keep(pending);
  if (!kept.ok) return kept;
  const body = {
    nonce: request.nonce,
    device_signing_public_key: request.signingPublicKey,
    device_kem_public_key: request.kemPublicKey,
    fingerprint: toBase64Url(print),
  };
  const answer = await unsigned(deps, serverUrl, { method: 'POST', target: '/devices/enroll/init', body });
  if (!answer.ok) return err(plainError(answer.error));
  const parsed = initAnswer.safeParse(answer.value);
  if (!parsed.success) return err(oddAnswer);
  const until = parsed.data.expires_at ?? pending.until;
  const saved = keep({ ...pending, until });
  return saved.ok ? ok({ ...shown, until }) : saved;
}

export type Joining =
  | { readonly state: 'waiting' }
  | { readonly state: 'ended' }
  | { readonly state: 'ready'; readonly identity: Identity; readonly displayName: string };

/** Checks the state of the request. Errors: `untrusted` if the response is not valid. */
export async function lookWhetherJoined(deps: Deps, pending: PendingDevice): Promise<Result<Joining>> {
  const { crypto } = deps;
  const target = `/devices/enroll/${encodeURIComponent(pending.nonce)}`;
  const answer = await unsigned(deps, pending.serverUrl, { method: 'GET', target });
  if (!answer.ok) {
    if (answer.error.code === 'not_found') return ok({ state: 'ended' });
    return isTransient(answer.error) ? ok({ state: 'waiting' }) : err(plainError(answer.error));
  }
  const parsed = pollAnswer.safeParse(answer.value);
  if (!parsed.success) return err(oddAnswer);
  const { completion } = parsed.data;
  if (!completion) return ok({ state: 'waiting' });
  const [nonce, signing, kem] = [pending.nonce, pending.signing, pending.kem].map(fromBase64Url);
  if (!nonce || signing?.length !== 32 || kem?.length !== 32) {
    return err(fail('corrupt', 'identity.deviceKeysDamaged'));
  }
  const device = { nonce, signing: crypto.ed25519KeyPair(signing), kem: crypto.x25519KeyPair(kem) };
  const taken = takeAdmission(crypto, completion, device);
  if (!taken.ok) return taken;
  const { root, identityCert, slugBinding, deviceCert } = taken.value;
  const identity: Identity = {
    slug: slugBinding.slug,
    deviceId: deviceCert.device_id,
    serverUrl: pending.serverUrl.replace(/\/+$/, ''),
    secrets: { root: root.secret, deviceSigning: signing, kem },
    identityCert,
    slugBinding,
    deviceCert,
  };
  const displayName = completion.identity_profile?.display_name?.slice(0, 60) || slugBinding.slug;
  return ok({ state: 'ready', identity, displayName });
}

export interface Asking extends ShownDeviceCode {
  readonly request: EnrolmentRequest;
  readonly until: number;
}

/**
 * Looks up the request by the code that a person typed. The keys must match the code, whatever the server
 * claims.
 */
export async function lookUpRequest(
  { crypto, clock }: Deps,
  client: SignedClient,
  typed: string,
): Promise<Result<Asking>> {
  const code = readEnrolmentCode(typed);
  if (code === null) {
    return err(fail('invalid_input', 'server.invalidDeviceCode'));
  }
  const answer = await client.json('GET', `/devices/enroll/${code}`, lookAnswer);
  if (!answer.ok) return err(plainError(answer.error));
  const { nonce, device_signing_public_key, device_kem_public_key, expires_at } = answer.value;
  const request = {
    nonce,
    signingPublicKey: device_signing_public_key,
    kemPublicKey: device_kem_public_key,
  };
  const shown = shownOf(crypto, request);
  if (shown?.code !== code) {
    return err(fail('untrusted', 'server.answerKeyMismatch'));
  }
  return ok({ ...shown, request, until: expires_at ?? clock.now() + usualLifeMs });
}

/** Signs the device and encrypts the root key for it. Returns its device id. */
export async function letJoin(
  { crypto, clock }: Deps,
  own: { readonly client: SignedClient; readonly identity: Identity; readonly displayName: string },
  request: EnrolmentRequest,
): Promise<Result<string>> {
  const { identity, client } = own;
  const { identityCert, slugBinding } = identity;
  if (!identityCert || !slugBinding) {
    return err(fail('corrupt', 'server.certificatesMissing'));
  }
  const root = crypto.ed25519KeyPair(identity.secrets.root);
  const admitted = admitDevice(crypto, root, request, clock.now());
  if (!admitted.ok) return admitted;
  const { deviceCert, rootKeyEnvelope } = admitted.value;
  const body = {
    device_cert: deviceCert,
    root_key_envelope: rootKeyEnvelope,
    slug_binding: slugBinding,
    identity_cert: identityCert,
    identity_profile: { display_name: own.displayName },
  };
  const target = `/devices/enroll/${encodeURIComponent(request.nonce)}/complete`;
  const answer = await client.json('POST', target, z.unknown(), { body });
  return answer.ok ? ok(deviceCert.device_id) : err(plainError(answer.error));
}

/** Revokes permanently, from this moment by the server's clock. */
export async function revokeDevice(
  { crypto, clock }: Deps,
  own: { readonly client: SignedClient; readonly identity: Identity; readonly aheadMs: number },
  deviceId: string,
): Promise<Result<void>> {
  const root = crypto.ed25519KeyPair(own.identity.secrets.root);
  const now = clock.now() - Math.max(0, own.aheadMs);
  const revocation = createDeviceRevocation(crypto, root, { deviceId, effectiveFrom: now, issuedAt: now });
  const target = `/devices/${encodeURIComponent(deviceId)}/revoke`;
  const answer = await own.client.json('POST', target, z.unknown(), { body: revocation });
  return answer.ok ? ok(undefined) : err(plainError(answer.error));
}
