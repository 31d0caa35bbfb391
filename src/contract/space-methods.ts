/** Methods about spaces, channels, members and invitations. */
import { z } from 'zod';
import { hostTextSchema } from './host-text-schema.ts';
import { agentRef, done, none, row } from './method-row.ts';

const id = z.string().min(1).max(200);
const name = z.string().trim().min(1).max(100);
/** A space by id or name. */
const spaceRef = z.strictObject({ space: id });
/** A channel by id, `#name` or `space/#name`. */
const channelRef = z.strictObject({ channel: id });
/** A slug, or an own agent by id. */
const person = z.strictObject({ who: id });

export const spaceRoleSchema = z.enum(['owner', 'admin', 'member']);
export type SpaceRole = z.infer<typeof spaceRoleSchema>;

export const memberSchema = z.object({
  slug: z.string(),
  displayName: z.string(),
  agent: z.boolean(),
  role: z.string(),
});
export type Member = z.infer<typeof memberSchema>;

/** An unanswered invitation to the operator. */
export const inviteSchema = z.object({
  id: z.string(),
  scope: z.enum(['space', 'channel']),
  spaceId: z.string(),
  spaceName: z.string(),
  channelId: z.string().nullable(),
  channelName: z.string(),
  inviterSlug: z.string(),
  inviterName: z.string(),
});
export type InviteView = z.infer<typeof inviteSchema>;

/** An unanswered invitation by the operator. */
const sentInviteSchema = inviteSchema.extend({ inviteeSlug: z.string(), inviteeName: z.string() });
export type SentInviteView = z.infer<typeof sentInviteSchema>;

export const spaceMethods = {
  /** `channelId` is the General channel, which the server creates with the space. */
  'spaces.create': row(
    () => z.strictObject({ name }),
    () => z.object({ spaceId: z.string(), channelId: z.string() }),
  ),
  'spaces.rename': row(
    () => spaceRef.extend({ name }),
    () => done,
  ),
  /** An archived space is read-only. */
  'spaces.archive': row(
    () => spaceRef.extend({ archived: z.boolean() }),
    () => done,
  ),
  'spaces.members': row(
    () => spaceRef,
    () => z.object({ members: z.array(memberSchema) }),
  ),
  /** `conflict` for the owner, who must transfer the space first. */
  'spaces.leave': row(
    () => spaceRef,
    () => done,
  ),
  'spaces.setRole': row(
    () => spaceRef.extend({ ...person.shape, role: spaceRoleSchema }),
    /** `owner` transfers the space; the caller becomes an admin. */
    () => done,
  ),
  'spaces.remove': row(
    () => spaceRef.extend(person.shape),
    () => done,
  ),
  'channels.create': row(
    () => spaceRef.extend({ name, encrypted: z.boolean().default(true) }),
    () => z.object({ channelId: z.string() }),
  ),
  'channels.rename': row(
    () => channelRef.extend({ name }),
    () => done,
  ),
  /** Removes the channel for all members; each member keeps the messages in their own store. */
  'channels.delete': row(
    () => channelRef,
    () => done,
  ),
  'channels.leave': row(
    () => channelRef,
    () => done,
  ),
  'channels.remove': row(
    () => channelRef.extend(person.shape),
    () => done,
  ),
  /** To a space or a channel. An own agent accepts automatically. */
  'invites.send': row(
    () => z.strictObject({ space: id.optional(), channel: id.optional(), ...person.shape }),
    () => z.object({ note: hostTextSchema }),
  ),
  'invites.list': row(
    () => none,
    () => z.object({ received: z.array(inviteSchema), note: hostTextSchema }),
  ),
  'invites.sent': row(
    () => none,
    () => z.object({ sent: z.array(sentInviteSchema) }),
  ),
  'invites.cancel': row(
    () => z.strictObject({ invite: id }),
    () => done,
  ),
  'invites.answer': row(
    () => z.strictObject({ invite: id, accept: z.boolean() }),
    () => done,
  ),
  /** The server's setting for one agent in one space; read-only without `owner`. */
  'agents.autoAccept': row(
    () => agentRef.extend({ space: id, owner: z.boolean().optional() }),
    () => z.object({ ownerInvites: z.boolean(), memberInvites: z.boolean() }),
  ),
} as const;
