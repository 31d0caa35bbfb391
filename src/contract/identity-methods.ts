/** Rows of the method table about who somebody is: your devices, agents' registration, other people's keys and contact. */
import { z } from 'zod';
import { agentRef, done, none, row } from './method-row.ts';

const id = z.string().min(1).max(200);
const slugRef = z.strictObject({ slug: id });
/** As two people compare it: 64 hexadecimal digits in groups of four (spec §1.2). */
const fingerprint = z.string();

export const deviceSchema = z.object({
  id: z.string(),
  createdAt: z.number(),
  /** The one of this Kennel. */
  current: z.boolean(),
  /** From when on it counts no more, ms; null while it counts. */
  revokedAt: z.number().nullable(),
});
export type DeviceView = z.infer<typeof deviceSchema>;

/**
 * `changed`: their identity key is another one now; nothing is sent to them and what they send is held here. `waiting`:
 * they want to write to you and the server holds it. `allowed`, `blocked`: as you decided.
 */
export const peerStateSchema = z.enum(['changed', 'waiting', 'allowed', 'blocked']);

export const peerSchema = z.object({
  slug: z.string(),
  displayName: z.string(),
  serverUrl: z.string(),
  state: peerStateSchema,
  /** Of the key that is known, and of the one that is offered now; both empty unless the key has changed. */
  knownFingerprint: fingerprint,
  offeredFingerprint: fingerprint,
  /** How many of their messages are held back. */
  messages: z.number().int(),
  since: z.number().nullable(),
});
export type PeerView = z.infer<typeof peerSchema>;

/** A person who wrote to your agents: `waiting` for your decision, or as you decided. */
export const contactSchema = z.object({
  slug: z.string(),
  server: z.string(),
  state: z.enum(['waiting', 'accepted', 'blocked']),
  /** How many of their messages are held. */
  messages: z.number().int(),
  /** ms since the epoch: of the first held message, or of your decision. */
  since: z.number(),
  /** Ids of the agents that hold messages. */
  agents: z.array(z.string()),
});
export type ContactView = z.infer<typeof contactSchema>;

/** `server`: needed only if people of the same handle are known at several servers. */
const contactRef = z.strictObject({ slug: id, server: z.string().min(1).max(500).optional() });

/** At most 4 MiB when it is decoded. */
export const avatarSchema = z.strictObject({
  base64: z.base64().max(5_600_000),
  contentType: z.string().max(100),
});

/** The operator, as their server has them. */
export const ownProfileSchema = z.object({
  slug: z.string(),
  displayName: z.string(),
  serverUrl: z.string(),
  /** A data: address; empty where there is none, or it cannot be had now. */
  picture: z.string(),
  /** Saved here, and the server does not know yet. */
  untold: z.boolean(),
});
export type OwnProfile = z.infer<typeof ownProfileSchema>;

export const identityMethods = {
  'profile.own': row(
    () => none,
    () => ownProfileSchema,
  ),
  /** At most 60 code points of a name. `warning` is empty when the server knows. */
  'profile.editOwn': row(
    () => z.strictObject({ displayName: z.string().max(240).optional(), avatar: avatarSchema.optional() }),
    () => z.object({ warning: z.string() }),
  ),
  /** A sign-up that was interrupted; null when there is none. `note` says what happens next. */
  'setup.unfinished': row(
    () => none,
    () =>
      z.object({
        signUp: z.object({ username: z.string(), serverUrl: z.string(), note: z.string() }).nullable(),
      }),
  ),
  /** Goes on with it; the same as what happens by itself at a start. */
  'setup.resumeSignUp': row(
    () => none,
    () => z.object({ slug: z.string() }),
  ),
  /** Gives it up: its keys are deleted, and the invite code is free if the server has not taken it yet. */
  'setup.dropSignUp': row(
    () => none,
    () => done,
  ),
  /** Tells the server now what is saved here only. `warning` is empty when nothing is left to tell. */
  'agents.syncProfile': row(
    () => agentRef,
    () => z.object({ warning: z.string() }),
  ),
  /** Your own, for others to compare. */
  'devices.fingerprint': row(
    () => none,
    () => z.object({ slug: z.string(), fingerprint }),
  ),
  'devices.list': row(
    () => none,
    () => z.object({ devices: z.array(deviceSchema) }),
  ),
  /** For good: it gets no message any more and can sign nothing. `conflict` for the one you are at. */
  'devices.revoke': row(
    () => z.strictObject({ device: id }),
    () => done,
  ),
  /** On a new device: asks to join an account that exists. Compare `words` on both devices. `until` in ms. */
  'devices.enrolBegin': row(
    () => z.strictObject({ serverUrl: z.string().min(1).max(500) }),
    () => z.object({ code: z.string(), words: z.string(), until: z.number() }),
  ),
  /** Waits for the other device, at most 20 s a call. `ready`: whose account it would join; accept or drop it. */
  'devices.enrolWait': row(
    () => none,
    () => z.object({ state: z.enum(['waiting', 'ready', 'ended']), slug: z.string(), fingerprint }),
  ),
  /** `slug` null: dropped. `note`: what a new device cannot read. */
  'devices.enrolFinish': row(
    () => z.strictObject({ accept: z.boolean() }),
    () => z.object({ slug: z.string().nullable(), note: z.string() }),
  ),
  /** On the device that is signed up: who asks with this code. */
  'devices.enrolLook': row(
    () => z.strictObject({ code: z.string().min(1).max(100) }),
    () => z.object({ code: z.string(), words: z.string(), until: z.number(), slug: z.string(), fingerprint }),
  ),
  /** Signs the device and seals the identity key for it. `words` are those that were shown and compared. */
  'devices.enrolApprove': row(
    () => z.strictObject({ code: z.string().min(1).max(100), words: z.string().min(1).max(200) }),
    () => z.object({ device: z.string() }),
  ),
  /** `holdFirstContact`: whether strangers wait for your yes; null where the server has no such thing. */
  'peers.list': row(
    () => none,
    () => z.object({ peers: z.array(peerSchema), holdFirstContact: z.boolean().nullable() }),
  ),
  /** Takes the changed key of somebody for theirs, for good. `fingerprint` is the whole one that was offered. */
  'peers.accept': row(
    () => slugRef.extend({ fingerprint: z.string().min(1).max(200) }),
    () => z.object({ released: z.number().int() }),
  ),
  'peers.allow': row(
    () => slugRef,
    () => z.object({ released: z.number().int() }),
  ),
  /** What waits of them is dropped; they are not told. */
  'peers.block': row(
    () => slugRef,
    () => done,
  ),
  /** Takes back what was decided about somebody: they are a stranger again. */
  'peers.forget': row(
    () => slugRef,
    () => done,
  ),
  /** People who wrote to your agents directly. */
  'contacts.list': row(
    () => none,
    () => z.object({ contacts: z.array(contactSchema) }),
  ),
  /** Your agents answer this person, and what they hold of them now. */
  'contacts.accept': row(
    () => contactRef,
    () => z.object({ released: z.number().int() }),
  ),
  /** No message of this person wakes an agent any more; the person is not told. */
  'contacts.block': row(
    () => contactRef,
    () => done,
  ),
  /** Takes your decision back: the next message asks again. */
  'contacts.forget': row(
    () => contactRef,
    () => done,
  ),
  'peers.holdFirst': row(
    () => z.strictObject({ on: z.boolean() }),
    () => done,
  ),
} as const;
