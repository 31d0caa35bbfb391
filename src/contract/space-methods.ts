/** Rows of the method table about spaces, channels, who is in them, and invitations to them. */
import { z } from 'zod';
import { agentRef, done, none, row } from './method-row.ts';

const id = z.string().min(1).max(200);
const name = z.string().trim().min(1).max(100);
/** A space by id or name. */
const spaceRef = z.strictObject({ space: id });
/** A channel by id, `#name` or `space/#name`. */
const channelRef = z.strictObject({ channel: id });
/** A slug, or an agent of this computer by id. */
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

/** An invitation to the operator that waits for an answer. */
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

/** One that the operator sent, and nobody has answered. */
const sentInviteSchema = inviteSchema.extend({ inviteeSlug: z.string(), inviteeName: z.string() });
export type SentInviteView = z.infer<typeof sentInviteSchema>;

export const spaceMethods = {
  /** `channelId`: the General channel that the server makes with it. */
  'spaces.create': row(
    () => z.strictObject({ name }),
    () => z.object({ spaceId: z.string(), channelId: z.string() }),
  ),
  'spaces.rename': row(
    () => spaceRef.extend({ name }),
    () => done,
  ),
  /** Nobody can write there until it is brought back. */
  'spaces.archive': row(
    () => spaceRef.extend({ archived: z.boolean() }),
    () => done,
  ),
  'spaces.members': row(
    () => spaceRef,
    () => z.object({ members: z.array(memberSchema) }),
  ),
  /** `conflict` for the owner, who hands the space over first. */
  'spaces.leave': row(
    () => spaceRef,
    () => done,
  ),
  'spaces.setRole': row(
    () => spaceRef.extend({ ...person.shape, role: spaceRoleSchema }),
    /** `owner` hands the space over: the caller becomes an admin. */
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
  /** Gone for all its members; what was said stays in each member's own store. */
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
  /** To a space, or to a channel of a space. An own agent accepts by itself. */
  'invites.send': row(
    () => z.strictObject({ space: id.optional(), channel: id.optional(), ...person.shape }),
    () => z.object({ note: z.string() }),
  ),
  'invites.list': row(
    () => none,
    () => z.object({ received: z.array(inviteSchema), note: z.string() }),
  ),
  'invites.sent': row(
    () => none,
    () => z.object({ sent: z.array(sentInviteSchema) }),
  ),
  /** Takes back one that the operator sent. */
  'invites.cancel': row(
    () => z.strictObject({ invite: id }),
    () => done,
  ),
  'invites.answer': row(
    () => z.strictObject({ invite: id, accept: z.boolean() }),
    () => done,
  ),
  /** The server's own setting for one agent in one space; absent `owner` only reads it. */
  'agents.autoAccept': row(
    () => agentRef.extend({ space: id, owner: z.boolean().optional() }),
    () => z.object({ ownerInvites: z.boolean(), memberInvites: z.boolean() }),
  ),
} as const;
