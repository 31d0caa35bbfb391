/** The effects of one signed space event, and the context of its handlers. */

import { z } from 'zod';
import { inputText } from '../contract/issue-text.ts';
import { ok, type Result } from '../contract/result.ts';
import type { SignedEvent } from '../core/puffo/wire.ts';
import { say } from '../language/say.ts';
import { type Refusal, refuseRequest } from './refusal.ts';
import type { ServerKey } from './server-key.ts';
import type { ChannelRow, IdentityRow, RelayStore, SpaceMemberRow, SpaceRow } from './store-port.ts';

export interface Scene {
  readonly store: RelayStore;
  readonly serverKey: ServerKey;
  readonly signer: IdentityRow;
  readonly event: SignedEvent;
  /** From the request beside the event; only a new channel uses it. */
  readonly isEncrypted: boolean;
  /** Hash of the invite link's secret in the request beside the event; `null` if absent. */
  readonly secretHash: string | null;
  readonly now: number;
  newChannelId(): string;
}

export interface EmittedEvent {
  readonly event: SignedEvent;
  readonly channelId: string | null;
}

export interface Change {
  /** The channel of the event, or `null` for the whole space. */
  readonly channelId: string | null;
  /** Events that the relay created because of this event. */
  readonly emitted: readonly EmittedEvent[];
  /** Additional people to notify beside the members: an invitee, a removed member. */
  readonly alsoTell: readonly string[];
  readonly membershipChanged: boolean;
  readonly channelChanged: boolean;
}

export type ChangeResult = Result<Change, Refusal>;
export type SpaceChangeHandler = (scene: Scene) => ChangeResult;

export const change = (parts: Partial<Change>): ChangeResult => ({
  ok: true,
  value: {
    channelId: null,
    emitted: [],
    alsoTell: [],
    membershipChanged: false,
    channelChanged: false,
    ...parts,
  },
});

export const idSchema = z.string().min(1).max(200);
export const spaceIdField = z.string().regex(/^sp_[A-Za-z0-9_-]{1,100}$/, 'A space id begins with sp_.');
export const channelIdField = z.string().regex(/^ch_[A-Za-z0-9_-]{1,100}$/, 'A channel id begins with ch_.');

/** Parses an event's payload; unknown members are signed and stored but have no meaning here. */
export function payloadOf<T>(scene: Scene, schema: z.ZodType<T>): Result<T, Refusal> {
  const parsed = schema.safeParse(scene.event.payload);
  if (parsed.success) return { ok: true, value: parsed.data };
  const what = inputText(parsed.error.issues);
  return refuseRequest('InvalidInput', say('relay.payloadMisfit', { kind: scene.event.kind, what }));
}

/** Non-members learn nothing about a space, not even that it exists. */
export function memberOf(
  scene: Scene,
  spaceId: string,
  slug = scene.signer.slug,
): Result<SpaceMemberRow, Refusal> {
  const member = scene.store.spaces.member(spaceId, slug);
  return member ? { ok: true, value: member } : refuseRequest('FORBIDDEN', say('relay.spaceMembersOnly'));
}

/** Call it only for signers who may know of the space. */
export const notArchived = (space: SpaceRow | null): Result<void, Refusal> =>
  space?.archived ? refuseRequest('SPACE_ARCHIVED', say('relay.spaceArchived')) : ok(undefined);

/** A member, in a space that is not archived. */
export function memberOfOpen(scene: Scene, spaceId: string): Result<SpaceMemberRow, Refusal> {
  const member = memberOf(scene, spaceId);
  if (!member.ok) return member;
  const open = notArchived(scene.store.spaces.space(spaceId));
  return open.ok ? member : open;
}

export const leads = (member: SpaceMemberRow): boolean => member.role === 'owner' || member.role === 'admin';

/** A channel of this space with the signer as a member. */
export function changedChannel(
  scene: Scene,
  spaceId: string,
  channelId: string,
): Result<ChannelRow, Refusal> {
  const channel = scene.store.spaces.channel(channelId);
  if (channel?.spaceId !== spaceId || !scene.store.spaces.channelMember(channelId, scene.signer.slug)) {
    return refuseRequest('FORBIDDEN', say('relay.channelMembersOnly'));
  }
  return { ok: true, value: channel };
}

/** Adds a member to the space and to each of its public channels. */
export function joinSpace(scene: Scene, spaceId: string, slug: string): void {
  const { spaces } = scene.store;
  spaces.saveMember(spaceId, { slug, role: 'member' }, scene.now);
  for (const channel of spaces.channels(spaceId)) {
    if (channel.isPublic) spaces.saveChannelMember(channel.channelId, { slug, role: 'member' }, scene.now);
  }
}

/**
 * Cancels a leaving member's open invitations: those they sent, and those to channels of the space that they
 * received.
 */
export function endInvitations(scene: Scene, spaceId: string, slug: string): void {
  const { spaces } = scene.store;
  for (const { eventId, inviterSlug, inviteeSlug } of spaces.openInvitations({ space: spaceId })) {
    if (inviterSlug === slug || inviteeSlug === slug) spaces.setInvitationState(eventId, 'cancelled');
  }
}
