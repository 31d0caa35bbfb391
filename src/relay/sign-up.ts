/**
 * Registers identities (spec §2.3): people with an invite code, agents through their operator's signature.
 * Two phases, because the relay chooses the suffix of a slug and the slug binding must name it.
 */

import { z } from 'zod';
import { ok, type Result } from '../contract/result.ts';
import { toBase64Url } from '../core/lib/bytes.ts';
import { inviteHash, secretHash } from '../core/puffo/invite-codes.ts';
import { deriveRoleShort } from '../core/puffo/role.ts';
import { say } from '../language/say.ts';
import { announceCert } from './announce.ts';
import {
  readAttestation,
  readDeviceCert,
  readIdentityCert,
  readSlugBinding,
  sameKey,
} from './cert-checks.ts';
import { answer, type Caller, type RelayContext, type RelayRequest, type RouteOutcome } from './context.ts';
import { avatarUrlSchema, displayNameSchema, roleSchema, roleShortSchema } from './profile-fields.ts';
import { checkAgentQuota, checkLinkSignUps } from './quotas.ts';
import { type Refusal, refuseRequest } from './refusal.ts';
import { checkLink, isUsedUp } from './space-links.ts';
import type { IdentityRow, PendingSignUp } from './store-port.ts';
import type { InviteLinkRow } from './store-port-links.ts';

const usernameSchema = z
  .string()
  .trim()
  .toLowerCase()
  .regex(
    /^[a-z0-9](?:[a-z0-9._-]{0,30}[a-z0-9])?$/,
    'A username has 1 to 32 letters a-z, digits, dots or hyphens.',
  );

const newcomerSchema = z.object({
  username: usernameSchema,
  display_name: displayNameSchema.nullish(),
  avatar_url: avatarUrlSchema.nullish(),
  role: roleSchema.nullish(),
  role_short: roleShortSchema.nullish(),
  identity_cert: z.unknown(),
  device_cert: z.unknown(),
});
type Newcomer = z.infer<typeof newcomerSchema>;

const signUpSchema = newcomerSchema.extend({ invite_code: z.string().min(1).max(200) });
const agentSchema = newcomerSchema.extend({ attestation: z.unknown() });
const bindingSchema = z.object({ pending_token: z.string().min(1).max(200), slug_binding: z.unknown() });

/** `alice` -> `alice-a62c`; `null` if the name's suffixes are nearly used up. */
export function chooseSlug(
  username: string,
  randomBytes: (length: number) => Uint8Array,
  taken: (slug: string) => boolean,
): string | null {
  for (let attempt = 0; attempt < 64; attempt += 1) {
    const [high = 0, low = 0] = randomBytes(2);
    const slug = `${username}-${((high << 8) | low).toString(16).padStart(4, '0')}`;
    if (!taken(slug)) return slug;
  }
  return null;
}

type Draft = Omit<PendingSignUp, 'slug' | 'tokenHash' | 'identity' | 'device'> & {
  readonly identity: Omit<IdentityRow, 'slug'>;
  readonly device: Omit<PendingSignUp['device'], 'slug'>;
};

function draftOf(
  context: RelayContext,
  newcomer: Newcomer,
  type: IdentityRow['identityType'],
): Result<Draft, Refusal> {
  const identityCert = readIdentityCert(context.crypto, newcomer.identity_cert);
  if (!identityCert.ok) return identityCert;
  if (identityCert.value.identity_type !== type) {
    return refuseRequest('InvalidInput', say('relay.wrongIdentityType', { type }));
  }
  const deviceCert = readDeviceCert(context.crypto, newcomer.device_cert, identityCert.value.root_public_key);
  if (!deviceCert.ok) return deviceCert;
  const now = context.clock.now();
  const { device } = deviceCert.value;
  return ok({
    inviteHash: null,
    completed: false,
    expiresAt: now + context.limits.signUpMs,
    certs: [
      { kind: 'identity_cert', cert: JSON.stringify(newcomer.identity_cert) },
      { kind: 'device_cert', cert: JSON.stringify(newcomer.device_cert) },
    ],
    identity: {
      username: newcomer.username,
      rootPublicKey: identityCert.value.root_public_key,
      identityType: type,
      operatorRootPublicKey: identityCert.value.declared_operator_public_key,
      operatorSlug: null,
      displayName: newcomer.display_name ?? newcomer.username,
      avatarUrl: newcomer.avatar_url ?? '',
      bio: '',
      role: newcomer.role ?? '',
      roleShort: newcomer.role ? newcomer.role_short || deriveRoleShort(newcomer.role) : '',
      profileUpdatedAt: now,
      createdAt: now,
    },
    device: { ...device, createdAt: now },
  });
}

/** Chooses the slug and stores the draft; only the client gets the token. */
function keepPending(
  context: RelayContext,
  draft: Draft,
  check: () => Result<void, Refusal>,
): Promise<Result<{ readonly slug: string; readonly token: string }, Refusal>> {
  const token = toBase64Url(context.random.bytes(32));
  const { people } = context.store;
  return context.queue.run(() => {
    const allowed = check();
    if (!allowed.ok) return allowed;
    if (people.identityByRoot(draft.identity.rootPublicKey) || people.device(draft.device.deviceId)) {
      return refuseRequest('CONFLICT', say('relay.identityRegistered'));
    }
    const slug = chooseSlug(
      draft.identity.username,
      (length) => context.random.bytes(length),
      (candidate) => people.slugTaken(candidate),
    );
    if (slug === null) return refuseRequest('CONFLICT', say('relay.usernameOverused'));
    people.addPending({
      ...draft,
      tokenHash: secretHash(context.crypto, token),
      slug,
      identity: { ...draft.identity, slug },
      device: { ...draft.device, slug },
    });
    return ok({ slug, token });
  });
}

function checkInvite({ store, clock }: RelayContext, invite: string): Result<void, Refusal> {
  return store.people.inviteOpen(invite, clock.now())
    ? ok(undefined)
    : refuseRequest('FORBIDDEN', say('relay.inviteCodeInvalid'));
}

function checkLinkSignUp(context: RelayContext, link: InviteLinkRow): Result<void, Refusal> {
  const open = checkLink(context.store, link, context.clock.now());
  if (!open.ok) return open;
  if (isUsedUp(link)) return refuseRequest('FORBIDDEN', say('relay.linkUsedUp'));
  return checkLinkSignUps(context, link.inviterSlug);
}

/** Takes an invite code, or one use of an invite link, with which the same person may still join. */
function takeInvite(context: RelayContext, invite: string, slug: string): Result<void, Refusal> {
  const { store, clock } = context;
  const link = store.links.bySecret(invite);
  if (link === null) {
    return store.people.takeInvite(invite, clock.now(), slug)
      ? ok(undefined)
      : refuseRequest('FORBIDDEN', say('relay.inviteCodeUsed'));
  }
  const open = checkLinkSignUp(context, link);
  if (open.ok) store.links.saveUse(link.linkId, slug, { signedUp: true, joined: false }, clock.now());
  return open;
}

export async function signUpRoute(context: RelayContext, request: RelayRequest): Promise<RouteOutcome> {
  const body = request.json(signUpSchema);
  if (!body.ok) return body;
  const invite = inviteHash(context.crypto, body.value.invite_code);
  const draft = draftOf(context, body.value, 'human');
  if (!draft.ok) return draft;
  const { people } = context.store;
  const kept = await keepPending(context, { ...draft.value, inviteHash: invite }, () => {
    const link = context.store.links.bySecret(invite);
    const open = link ? checkLinkSignUp(context, link) : checkInvite(context, invite);
    // One open sign-up per code: a new one replaces the earlier one. A link serves several people.
    return open.ok ? ok(people.dropPending(invite, link ? context.limits.signUpsPerLink - 1 : 0)) : open;
  });
  if (!kept.ok) return kept;
  return answer(
    { slug: kept.value.slug, device_id: draft.value.device.deviceId, pending_token: kept.value.token },
    201,
  );
}

export async function registerAgentRoute(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const body = request.json(agentSchema);
  if (!body.ok) return body;
  const operator = context.store.people.identity(caller.slug);
  if (operator?.identityType !== 'human') return refuseRequest('FORBIDDEN', say('relay.personRegisters'));
  const draft = draftOf(context, body.value, 'agent');
  if (!draft.ok) return draft;
  const attestation = readAttestation(context.crypto, body.value.attestation, operator.rootPublicKey);
  if (!attestation.ok) return attestation;
  if (
    !sameKey(attestation.value.agent_root_public_key, draft.value.identity.rootPublicKey) ||
    !sameKey(draft.value.identity.operatorRootPublicKey, operator.rootPublicKey)
  ) {
    return refuseRequest('FORBIDDEN', say('relay.attestationKeyMismatch'));
  }
  const attested: Draft = {
    ...draft.value,
    identity: { ...draft.value.identity, operatorSlug: operator.slug },
    certs: [
      ...draft.value.certs,
      { kind: 'operator_attestation', cert: JSON.stringify(body.value.attestation) },
    ],
  };
  const kept = await keepPending(context, attested, () => checkAgentQuota(context, operator.slug));
  if (!kept.ok) return kept;
  return answer(
    {
      agent_slug: kept.value.slug,
      agent_device_id: attested.device.deviceId,
      pending_token: kept.value.token,
      pending_expires_at: attested.expiresAt,
    },
    201,
  );
}

/** Second phase of both; the same binding again gets the same response, in case the first was lost. */
export async function bindSlug(context: RelayContext, request: RelayRequest): Promise<RouteOutcome> {
  const body = request.json(bindingSchema);
  if (!body.ok) return body;
  const { people } = context.store;
  const tokenHash = secretHash(context.crypto, body.value.pending_token);
  const now = context.clock.now();
  const pending = people.pending(tokenHash);
  if (!pending || pending.expiresAt <= now) {
    return refuseRequest('NOT_FOUND', say('relay.signUpEnded'));
  }
  const binding = readSlugBinding(context.crypto, body.value.slug_binding, pending.identity.rootPublicKey);
  if (!binding.ok) return binding;
  if (binding.value.slug !== pending.slug) {
    return refuseRequest('InvalidInput', say('relay.bindingForOtherSlug', { slug: pending.slug }));
  }
  const text = JSON.stringify(body.value.slug_binding);
  const done = await context.queue.run(() => completeSignUp(context, tokenHash, text));
  if (!done.ok) return done;
  for (const entry of done.value) announceCert(context, pending.slug, entry);
  return answer({ ok: true, slug: pending.slug, device_id: pending.device.deviceId });
}

/** Returns the new registry entries; none if it was completed before. */
function completeSignUp(
  context: RelayContext,
  tokenHash: string,
  binding: string,
): Result<readonly { readonly seq: number; readonly kind: string; readonly cert: string }[], Refusal> {
  const { people } = context.store;
  const pending = people.pending(tokenHash);
  if (!pending) return refuseRequest('NOT_FOUND', say('relay.signUpEnded'));
  if (pending.completed) return ok([]);
  const { slug, inviteHash: invite } = pending;
  const taken = invite === null ? ok(undefined) : takeInvite(context, invite, slug);
  if (!taken.ok) return taken;
  if (people.identityByRoot(pending.identity.rootPublicKey) || people.identity(slug)) {
    return refuseRequest('CONFLICT', say('relay.identityRegistered'));
  }
  people.addIdentity(pending.identity);
  people.addDevice(pending.device);
  people.completePending(tokenHash);
  return ok(
    [...pending.certs, { kind: 'slug_binding', cert: binding }].map(({ kind, cert }) => ({
      seq: people.addCert(slug, kind, cert),
      kind,
      cert,
    })),
  );
}
