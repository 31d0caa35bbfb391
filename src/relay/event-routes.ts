/**
 * `POST /spaces/events`: signed events change spaces, all of one request or none. This module verifies,
 * applies in one transaction, stores, answers and announces them; the `space-*` files implement each kind.
 */

import { z } from 'zod';
import { ok, type Result } from '../contract/result.ts';
import { newChannelId } from '../core/puffo/ids.ts';
import { verifyObject } from '../core/puffo/signatures.ts';
import { type SignedEvent, signedEventSchema } from '../core/puffo/wire.ts';
import { say } from '../language/say.ts';
import { announceChannel, announceEvent, announceMembership } from './announce.ts';
import { answer, type Caller, type RelayContext, type RelayRequest, type RouteOutcome } from './context.ts';
import { checkLinkQuota, checkSpaceQuota } from './quotas.ts';
import { type Refusal, refuseRequest } from './refusal.ts';
import { signerOf } from './signers.ts';
import type { Change, SpaceChangeHandler } from './space-change.ts';
import { createChannel, createSpace } from './space-founding.ts';
import { acceptInvite, closeInvite, inviteToChannel, inviteToSpace } from './space-invitations.ts';
import { createLink, redeemLink, revokeLink } from './space-links.ts';
import {
  leaveChannel,
  leaveSpace,
  removeFromChannel,
  removeFromSpace,
  transferOwnership,
  updateRole,
} from './space-membership.ts';
import type { IdentityRow, SpaceEventRow } from './store-port.ts';

const handlers: ReadonlyMap<string, SpaceChangeHandler> = new Map<string, SpaceChangeHandler>([
  ['create_space', createSpace],
  ['create_channel', createChannel],
  ['invite_to_space', inviteToSpace],
  ['invite_to_channel', inviteToChannel],
  ['accept_space_invite', acceptInvite('space')],
  ['accept_channel_invite', acceptInvite('channel')],
  ['reject_space_invite', closeInvite('space', 'rejected')],
  ['reject_channel_invite', closeInvite('channel', 'rejected')],
  ['cancel_space_invite', closeInvite('space', 'cancelled')],
  ['cancel_channel_invite', closeInvite('channel', 'cancelled')],
  ['leave_space', leaveSpace],
  ['leave_channel', leaveChannel],
  ['remove_from_space', removeFromSpace],
  ['remove_from_channel', removeFromChannel],
  ['update_role', updateRole],
  ['transfer_space_ownership', transferOwnership],
  ['create_invite_capability', createLink],
  ['redeem_invite_capability', redeemLink],
  ['revoke_invite_capability', revokeLink],
]);

const bodySchema = z.object({
  space_id: z.string().min(1).max(200),
  events: z.array(z.unknown()).min(1).max(50),
  is_encrypted: z.boolean().optional(),
});

interface Applied {
  readonly row: SpaceEventRow;
  readonly change: Change | null;
  readonly emittedRows: readonly SpaceEventRow[];
}

/** Verifies that the caller signed the exact event with one of their own subkeys. */
function readEvent(context: RelayContext, raw: unknown, caller: Caller): Result<SignedEvent, Refusal> {
  const parsed = signedEventSchema.safeParse(raw);
  if (Buffer.byteLength(JSON.stringify(raw) ?? '') > context.limits.eventBytes)
    return refuseRequest('PAYLOAD_TOO_LARGE', say('relay.eventTooLarge'));
  if (!parsed.success) return refuseRequest('InvalidInput', say('relay.eventMalformed'));
  const event = parsed.data;
  if (event.signer_slug !== caller.slug) return refuseRequest('FORBIDDEN', say('relay.ownEventsOnly'));
  const signer = signerOf(context.store.people, event.signer_subkey_id, context.clock.now());
  if (signer?.slug !== caller.slug || signer.deviceId !== event.signer_device_id) {
    return refuseRequest('FORBIDDEN', say('relay.eventKeyEnded'));
  }
  const held = verifyObject(context.crypto, raw as SignedEvent, event.signature, signer.publicKey);
  return held.ok ? ok(raw as SignedEvent) : refuseRequest('FORBIDDEN', say('relay.eventSignatureInvalid'));
}

/** Events of one request, with what the request says beside them. */
interface PostedEvents {
  readonly spaceId: string;
  readonly isEncrypted: boolean;
  readonly secretHash: string | null;
  readonly events: readonly unknown[];
}

function checkQuota(context: RelayContext, signer: IdentityRow, { kind, payload }: SignedEvent) {
  if (kind === 'create_space') return checkSpaceQuota(context, signer.slug);
  return kind === 'create_invite_capability'
    ? checkLinkQuota(context, String(payload.space_id))
    : ok(undefined);
}

function applyOne(
  context: RelayContext,
  signer: IdentityRow,
  { spaceId, isEncrypted, secretHash }: PostedEvents,
  event: SignedEvent,
): Result<Applied, Refusal> {
  const { spaces } = context.store;
  const handler = handlers.get(event.kind);
  if (!handler) return refuseRequest('InvalidInput', say('relay.eventKindUnknown', { kind: event.kind }));
  if (event.payload.space_id !== spaceId)
    return refuseRequest('InvalidInput', say('relay.eventForOtherSpace'));
  const text = JSON.stringify(event);
  const known = spaces.event(event.event_id);
  if (known) {
    return known.event === text
      ? ok({ row: known, change: null, emittedRows: [] })
      : refuseRequest('CONFLICT', say('relay.eventIdTaken'));
  }
  const now = context.clock.now();
  const allowed = checkQuota(context, signer, event);
  if (!allowed.ok) return allowed;
  const changed = handler({
    store: context.store,
    serverKey: context.serverKey,
    signer,
    event,
    isEncrypted,
    secretHash,
    now,
    newChannelId: () => newChannelId(context.random),
  });
  if (!changed.ok) return changed;
  const store = (stored: SignedEvent, channelId: string | null): SpaceEventRow =>
    spaces.addEvent(
      {
        eventId: stored.event_id,
        spaceId,
        channelId,
        kind: stored.kind,
        signerSlug: stored.signer_slug,
        event: JSON.stringify(stored),
      },
      now,
    );
  const row = store(event, changed.value.channelId);
  const emittedRows = changed.value.emitted.map((emitted) => store(emitted.event, emitted.channelId));
  return ok({ row, change: changed.value, emittedRows });
}

/** The slugs that may see an event: the members of its channel if that is private, else of the space. */
function audienceOf(
  context: RelayContext,
  row: SpaceEventRow,
  alsoTell: readonly string[],
): readonly string[] {
  const { spaces } = context.store;
  const channel = row.channelId === null ? null : spaces.channel(row.channelId);
  const members =
    channel && !channel.isPublic ? spaces.channelMembers(channel.channelId) : spaces.members(row.spaceId);
  return [...members.map((member) => member.slug), ...alsoTell];
}

function announce(context: RelayContext, applied: Applied): void {
  const { row, change } = applied;
  if (change === null) return;
  const audience = audienceOf(context, row, change.alsoTell);
  announceEvent(context, row, audience);
  for (const emitted of applied.emittedRows) {
    announceEvent(context, emitted, audienceOf(context, emitted, change.alsoTell));
  }
  if (change.membershipChanged) announceMembership(context, row.spaceId, audience);
  if (change.channelChanged && row.channelId !== null) {
    announceChannel(context, row.spaceId, row.channelId, audience);
  }
}

/** Verifies, applies in one transaction, and announces. */
export async function applyEvents(
  context: RelayContext,
  caller: Caller,
  posted: PostedEvents,
): Promise<Result<readonly Applied[], Refusal>> {
  const events: SignedEvent[] = [];
  for (const raw of posted.events) {
    const event = readEvent(context, raw, caller);
    if (!event.ok) return event;
    events.push(event.value);
  }
  const done = await context.queue.run((): Result<readonly Applied[], Refusal> => {
    const signer = context.store.people.identity(caller.slug);
    if (!signer) return refuseRequest('UNAUTHORIZED', say('relay.identityNotRegistered'));
    const applied: Applied[] = [];
    for (const event of events) {
      const one = applyOne(context, signer, posted, event);
      if (!one.ok) return one;
      applied.push(one.value);
    }
    return ok(applied);
  });
  if (done.ok) for (const applied of done.value) announce(context, applied);
  return done;
}

export async function postEvents(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const body = request.json(bodySchema);
  if (!body.ok) return body;
  const { space_id: spaceId, is_encrypted: isEncrypted = true, events } = body.value;
  const done = await applyEvents(context, caller, { spaceId, isEncrypted, secretHash: null, events });
  if (!done.ok) return done;
  const emitted = done.value.flatMap((applied) => applied.change?.emitted ?? []);
  return answer({
    ok: true,
    applied: done.value.length,
    server_emitted_events: emitted.map(({ event }) => event),
  });
}
