/** The certificate registry: reading certificates, new subkeys, revoked devices (spec §1.4, §2.2, §2.3). */

import { z } from 'zod';
import { ok } from '../contract/result.ts';
import { requestWindowMs } from '../core/puffo/http-signing.ts';
import { say } from '../language/say.ts';
import { announceCert } from './announce.ts';
import { readDeviceRevocation, readSubkeyCert } from './cert-checks.ts';
import {
  answer,
  type Caller,
  type RelayContext,
  type RelayRequest,
  type RouteOutcome,
  slugList,
  wholeNumberParam,
} from './context.ts';
import { notFound, refuseRequest } from './refusal.ts';
import type { DeviceRow } from './store-port.ts';

/** ms; a subkey's lifetime must be strictly shorter (spec §1.4). */
export const maxSubkeyLifeMs = 48 * 60 * 60 * 1000;

const maxPage = 500;

export function syncCerts(context: RelayContext, request: RelayRequest): RouteOutcome {
  const since = wholeNumberParam(request.query, 'since', 0, Number.MAX_SAFE_INTEGER);
  const limit = Math.max(1, wholeNumberParam(request.query, 'limit', maxPage, maxPage));
  const rows = context.store.people.certs(slugList(request.query), since, limit + 1);
  return answer({
    entries: rows.slice(0, limit).map(({ seq, kind, slug, cert }) => ({
      seq,
      kind,
      slug,
      cert: JSON.parse(cert) as unknown,
    })),
    has_more: rows.length > limit,
  });
}

export const isActive = (device: DeviceRow, now: number): boolean =>
  (device.expiresAt === null || device.expiresAt > now) &&
  (device.revokedFrom === null || device.revokedFrom > now);

export function activeDevicesOf(context: RelayContext, request: RelayRequest): RouteOutcome {
  const now = context.clock.now();
  const devices = context.store.people.devicesOf(slugList(request.query));
  return answer({
    devices: devices
      .filter((device) => isActive(device, now))
      .map((device) => ({
        slug: device.slug,
        device_id: device.deviceId,
        kem_public_key: device.kemPublicKey,
        signing_public_key: device.signingPublicKey,
        created_at: device.createdAt,
      })),
  });
}

const subkeySchema = z.object({ subkey_cert: z.unknown() });

export async function addSubkey(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const body = request.json(subkeySchema);
  if (!body.ok) return body;
  const { people } = context.store;
  const device = people.device(caller.deviceId);
  if (!device) return refuseRequest('DEVICE_NOT_FOUND', say('relay.deviceNotRegistered'));
  const cert = readSubkeyCert(context.crypto, body.value.subkey_cert, device);
  if (!cert.ok) return cert;
  const { issued_at: issuedAt, expires_at: expiresAt } = cert.value;
  if (issuedAt > context.clock.now() + requestWindowMs) {
    return refuseRequest('InvalidInput', say('relay.subkeyFromFuture'));
  }
  if (expiresAt == null || expiresAt - issuedAt >= maxSubkeyLifeMs || expiresAt <= context.clock.now()) {
    return refuseRequest('InvalidInput', say('relay.subkeyTooLong'));
  }
  const text = JSON.stringify(body.value.subkey_cert);
  const saved = await context.queue.run(() => {
    const known = people.subkey(cert.value.subkey_id);
    if (known)
      return known.slug === caller.slug ? ok(null) : refuseRequest('CONFLICT', say('relay.subkeyTaken'));
    people.addSubkey({
      subkeyId: cert.value.subkey_id,
      deviceId: device.deviceId,
      slug: caller.slug,
      publicKey: cert.value.subkey_public_key,
      issuedAt,
      expiresAt,
    });
    people.addCert(caller.slug, 'subkey_cert', text);
    return ok(null);
  });
  return saved.ok ? answer({ ok: true, subkey_id: cert.value.subkey_id }, 201) : saved;
}

const revocationSchema = z.object({ device_revocation: z.unknown() });

/** Accepts the revocation bare or as the member `device_revocation`; clients use both. */
function revocationOf(value: unknown): unknown {
  const wrapped = revocationSchema.safeParse(value);
  return wrapped.success && wrapped.data.device_revocation !== undefined
    ? wrapped.data.device_revocation
    : value;
}

export async function revokeDeviceRoute(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const body = request.json(z.unknown());
  if (!body.ok) return body;
  const { people } = context.store;
  const deviceId = request.params.id ?? '';
  const device = people.device(deviceId);
  const owner = people.identity(caller.slug);
  if (!device || !owner || device.slug !== caller.slug) return notFound('device');
  const raw = revocationOf(body.value);
  const revocation = readDeviceRevocation(context.crypto, raw, owner.rootPublicKey);
  if (!revocation.ok) return revocation;
  if (revocation.value.device_id !== deviceId) {
    return refuseRequest('InvalidInput', say('relay.revocationForOtherDevice'));
  }
  const text = JSON.stringify(raw);
  const saved = await context.queue.run(() => {
    people.revokeDevice(deviceId, revocation.value.effective_from);
    return ok(people.addCert(caller.slug, 'device_revocation', text));
  });
  if (!saved.ok) return saved;
  announceCert(context, caller.slug, { seq: saved.value, kind: 'device_revocation', cert: text });
  if (revocation.value.effective_from <= context.clock.now()) {
    for (const connection of context.hub.ofDevice(deviceId)) connection.close(4401, 'device revoked');
  }
  return answer({ ok: true });
}
