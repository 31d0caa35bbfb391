/**
 * Enrols a further device of a registered identity (spec §2.3): the device leaves its unsigned public keys
 * here, and an approver with the root key signs and encrypts for them, once, within minutes. The relay cannot
 * decrypt what it transports.
 */

import { z } from 'zod';
import { err, ok, type Result } from '../contract/result.ts';
import { enrolmentCode, enrolmentFingerprint, readEnrolmentCode } from '../core/puffo/enrolment.ts';
import { rootKeyEnvelopeSchema } from '../core/puffo/wire.ts';
import { say } from '../language/say.ts';
import { announceCert } from './announce.ts';
import { readDeviceCert, readIdentityCert, readSlugBinding, sameKey } from './cert-checks.ts';
import { answer, type Caller, type RelayContext, type RelayRequest, type RouteOutcome } from './context.ts';
import { notFound, type Refusal, refuseRequest } from './refusal.ts';
import { isActive } from './registry-routes.ts';
import type { EnrolmentRow, IdentityRow } from './store-port.ts';

const key = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'A key or nonce is 32 bytes of base64url.');

const initSchema = z.object({
  nonce: key,
  device_signing_public_key: key,
  device_kem_public_key: key,
  fingerprint: z.string().max(200).nullish(),
});
type Init = z.infer<typeof initSchema>;

const gone = (): Result<never, Refusal> =>
  err({
    status: 404,
    code: 'NOT_FOUND',
    message: say('relay.enrolmentEnded'),
  });

export async function beginEnrolment(context: RelayContext, request: RelayRequest): Promise<RouteOutcome> {
  const body = request.json(initSchema);
  if (!body.ok) return body;
  const { nonce, device_signing_public_key: signing, device_kem_public_key: kem } = body.value;
  const fingerprint = enrolmentFingerprint(context.crypto, {
    nonce,
    signingPublicKey: signing,
    kemPublicKey: kem,
  });
  if (fingerprint === null) return refuseRequest('InvalidInput', 'A key or nonce is 32 bytes of base64url.');
  const code = enrolmentCode(fingerprint);
  const text = JSON.stringify(body.value);
  const expiresAt = context.clock.now() + context.limits.enrolMs;
  const { enrolments } = context.store;
  const kept = await context.queue.run(() => {
    const before = enrolments.byNonce(nonce) ?? enrolments.byCode(code);
    if (before?.request === text && before.expiresAt > context.clock.now()) return ok(before);
    if (before) return refuseRequest('CONFLICT', say('relay.enrolmentRepeated'));
    // A flood evicts its own requests first, so a quickly completed enrolment still succeeds.
    if (enrolments.count() >= context.limits.openEnrolments && !enrolments.dropOldest())
      return refuseRequest('RATE_LIMITED', say('relay.tooManyEnrolments'));
    const row = { nonce, code, request: text, completion: null, expiresAt };
    enrolments.add(row);
    return ok<EnrolmentRow>(row);
  });
  return kept.ok ? answer({ ok: true, code, expires_at: kept.value.expiresAt }, 201) : kept;
}

const open = (context: RelayContext, row: EnrolmentRow | null): EnrolmentRow | null =>
  row && row.expiresAt > context.clock.now() ? row : null;

/**
 * The new device queries by its nonce, unsigned; a registered identity may query by the code that a person
 * reads out.
 */
export function readEnrolment(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller | null,
): RouteOutcome {
  const name = request.params.nonce ?? '';
  const { enrolments } = context.store;
  const code = caller === null ? null : readEnrolmentCode(name);
  const row = open(context, code === null ? enrolments.byNonce(name) : enrolments.byCode(code));
  if (!row) return gone();
  return answer({
    ...(JSON.parse(row.request) as Init),
    code: row.code,
    expires_at: row.expiresAt,
    state: row.completion === null ? 'waiting' : 'complete',
    completion: row.completion === null ? null : (JSON.parse(row.completion) as unknown),
  });
}

const completeSchema = z.object({
  device_cert: z.unknown(),
  root_key_envelope: rootKeyEnvelopeSchema,
  slug_binding: z.unknown(),
  identity_cert: z.unknown(),
  identity_profile: z.unknown(),
});

/** The completion must be signed by the approver's own root, for exactly the requested keys. */
function checkCompletion(
  context: RelayContext,
  body: z.infer<typeof completeSchema>,
  asked: Init,
  approver: IdentityRow,
) {
  const { crypto } = context;
  const identityCert = readIdentityCert(crypto, body.identity_cert);
  if (!identityCert.ok) return identityCert;
  if (!sameKey(identityCert.value.root_public_key, approver.rootPublicKey)) {
    return refuseRequest('FORBIDDEN', say('relay.ownAccountOnly'));
  }
  const binding = readSlugBinding(crypto, body.slug_binding, approver.rootPublicKey);
  if (!binding.ok) return binding;
  if (binding.value.slug !== approver.slug) {
    return refuseRequest('FORBIDDEN', say('relay.ownAccountOnly'));
  }
  const device = readDeviceCert(crypto, body.device_cert, approver.rootPublicKey);
  if (!device.ok) return device;
  const { signingPublicKey, kemPublicKey } = device.value.device;
  const { root_key_envelope: envelope } = body;
  const fits =
    sameKey(signingPublicKey, asked.device_signing_public_key) &&
    sameKey(kemPublicKey, asked.device_kem_public_key) &&
    sameKey(envelope.recipient_kem_public_key, asked.device_kem_public_key) &&
    sameKey(envelope.enrollment_nonce, asked.nonce);
  return fits ? device : refuseRequest('InvalidInput', say('relay.enrolmentForOtherDevice'));
}

export async function completeEnrolment(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const body = request.json(completeSchema);
  if (!body.ok) return body;
  const { people, enrolments } = context.store;
  const row = open(context, enrolments.byNonce(request.params.nonce ?? ''));
  const approver = people.identity(caller.slug);
  if (!row) return gone();
  if (!approver) return notFound('identity');
  const asked = JSON.parse(row.request) as Init;
  const checked = checkCompletion(context, body.value, asked, approver);
  if (!checked.ok) return checked;
  const { device } = checked.value;
  const completion = JSON.stringify(body.value);
  const certText = JSON.stringify(body.value.device_cert);
  const saved = await context.queue.run(() => {
    const before = enrolments.byNonce(row.nonce)?.completion ?? null;
    if (before !== null) {
      return before === completion ? ok(null) : refuseRequest('CONFLICT', say('relay.enrolmentAnswered'));
    }
    const now = context.clock.now();
    const others = people.devicesOf([caller.slug]).filter((one) => isActive(one, now));
    if (others.length >= context.limits.devicesPerIdentity)
      return refuseRequest('CONFLICT', say('relay.tooManyDevices', { length: others.length }));
    if (people.device(device.deviceId)) return refuseRequest('CONFLICT', say('relay.deviceRegistered'));
    enrolments.complete(row.nonce, completion);
    people.addDevice({ ...device, slug: caller.slug, createdAt: context.clock.now() });
    return ok(people.addCert(caller.slug, 'device_cert', certText));
  });
  if (!saved.ok) return saved;
  if (saved.value !== null) {
    announceCert(context, caller.slug, { seq: saved.value, kind: 'device_cert', cert: certText });
  }
  return answer({ ok: true, device_id: device.deviceId });
}
