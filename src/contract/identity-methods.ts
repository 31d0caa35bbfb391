/** Methods about identity: own devices, agents' registration, other people's keys and contacts. */
import { z } from 'zod';
import { hostTextSchema } from './host-text-schema.ts';
import { agentRef, done, none, row } from './method-row.ts';

const id = z.string().min(1).max(200);
const slugRef = z.strictObject({ slug: id });
/** For comparison by people: 64 hexadecimal digits in groups of four (spec §1.2). */
const fingerprint = z.string();

export const deviceSchema = z.object({
  id: z.string(),
  createdAt: z.number(),
  /** The device of this Kennel. */
  current: z.boolean(),
  /** ms since the epoch, or `null` while it is valid. */
  revokedAt: z.number().nullable(),
});
export type DeviceView = z.infer<typeof deviceSchema>;

/**
 * `changed`: the identity key changed; messages in both directions are held. `waiting`: the server holds
 * their first message. `allowed`, `blocked`: the operator's decision.
 */
export const peerStateSchema = z.enum(['changed', 'waiting', 'allowed', 'blocked']);

export const peerSchema = z.object({
  slug: z.string(),
  displayName: z.string(),
  serverUrl: z.string(),
  state: peerStateSchema,
  /** Fingerprints of the known key and of the offered one; both empty unless the key changed. */
  knownFingerprint: fingerprint,
  offeredFingerprint: fingerprint,
  /** Number of held messages. */
  messages: z.number().int(),
  since: z.number().nullable(),
});
export type PeerView = z.infer<typeof peerSchema>;

/** A person who wrote to own agents: `waiting` for a decision, or as decided. */
export const contactSchema = z.object({
  slug: z.string(),
  server: z.string(),
  state: z.enum(['waiting', 'accepted', 'blocked']),
  /** Number of held messages. */
  messages: z.number().int(),
  /** ms since the epoch of the first held message, or of the decision. */
  since: z.number(),
  agents: z.array(z.string()),
});
export type ContactView = z.infer<typeof contactSchema>;

/** `server` is needed only if the handle is known at several servers. */
const contactRef = z.strictObject({ slug: id, server: z.string().min(1).max(500).optional() });

/** At most 4 MiB decoded. */
export const avatarSchema = z.strictObject({
  base64: z.base64().max(5_600_000),
  contentType: z.string().max(100),
});

export const ownProfileSchema = z.object({
  slug: z.string(),
  displayName: z.string(),
  serverUrl: z.string(),
  /** A data URL; empty if none is available now. */
  picture: z.string(),
  /** Saved here, but not at the server yet. */
  untold: z.boolean(),
});
export type OwnProfile = z.infer<typeof ownProfileSchema>;

export const identityMethods = {
  'profile.own': row(
    () => none,
    () => ownProfileSchema,
  ),
  /** A name has at most 60 code points. `warning` is empty if the server has the change. */
  'profile.editOwn': row(
    () => z.strictObject({ displayName: z.string().max(240).optional(), avatar: avatarSchema.optional() }),
    () => z.object({ warning: hostTextSchema }),
  ),
  /** An interrupted sign-up, or `null`. `note` has the next step. */
  'setup.unfinished': row(
    () => none,
    () =>
      z.object({
        signUp: z.object({ username: z.string(), serverUrl: z.string(), note: hostTextSchema }).nullable(),
      }),
  ),
  /** Resumes it; a start does the same automatically. */
  'setup.resumeSignUp': row(
    () => none,
    () => z.object({ slug: z.string() }),
  ),
  /** Deletes its keys; the invite code stays valid if the server has not used it yet. */
  'setup.dropSignUp': row(
    () => none,
    () => done,
  ),
  /** Sends saved changes to the server now. `warning` is empty if none are left. */
  'agents.syncProfile': row(
    () => agentRef,
    () => z.object({ warning: hostTextSchema }),
  ),
  /** The operator's fingerprint, for comparison by others. */
  'devices.fingerprint': row(
    () => none,
    () => z.object({ slug: z.string(), fingerprint }),
  ),
  'devices.list': row(
    () => none,
    () => z.object({ devices: z.array(deviceSchema) }),
  ),
  /** Permanent: the device gets no further messages and cannot sign. `conflict` for the current device. */
  'devices.revoke': row(
    () => z.strictObject({ device: id }),
    () => done,
  ),
  /**
   * On a new device: asks to join an existing account. The user compares `words` on both devices. `until` is
   * in ms.
   */
  'devices.enrolBegin': row(
    () => z.strictObject({ serverUrl: z.string().min(1).max(500) }),
    () => z.object({ code: z.string(), words: z.string(), until: z.number() }),
  ),
  /** Waits for the other device, at most 20 s per call. `ready` returns the account to accept or reject. */
  'devices.enrolWait': row(
    () => none,
    () => z.object({ state: z.enum(['waiting', 'ready', 'ended']), slug: z.string(), fingerprint }),
  ),
  /** `slug` is `null` if rejected. `note` names what a new device cannot read. */
  'devices.enrolFinish': row(
    () => z.strictObject({ accept: z.boolean() }),
    () => z.object({ slug: z.string().nullable(), note: hostTextSchema }),
  ),
  /** On the signed-up device: the request under this code. */
  'devices.enrolLook': row(
    () => z.strictObject({ code: z.string().min(1).max(100) }),
    () => z.object({ code: z.string(), words: z.string(), until: z.number(), slug: z.string(), fingerprint }),
  ),
  /** Signs the device and seals the identity key for it. `words` are those that the user compared. */
  'devices.enrolApprove': row(
    () => z.strictObject({ code: z.string().min(1).max(100), words: z.string().min(1).max(200) }),
    () => z.object({ device: z.string() }),
  ),
  /** `holdFirstContact` is `null` if the server does not support holding strangers' messages. */
  'peers.list': row(
    () => none,
    () => z.object({ peers: z.array(peerSchema), holdFirstContact: z.boolean().nullable() }),
  ),
  /** Accepts a changed key permanently. `fingerprint` is the complete offered one. */
  'peers.accept': row(
    () => slugRef.extend({ fingerprint: z.string().min(1).max(200) }),
    () => z.object({ released: z.number().int() }),
  ),
  'peers.allow': row(
    () => slugRef,
    () => z.object({ released: z.number().int() }),
  ),
  /** Drops their held messages without telling them. */
  'peers.block': row(
    () => slugRef,
    () => done,
  ),
  /** Clears the decision: they count as a stranger again. */
  'peers.forget': row(
    () => slugRef,
    () => done,
  ),
  /** People who sent direct messages to own agents. */
  'contacts.list': row(
    () => none,
    () => z.object({ contacts: z.array(contactSchema) }),
  ),
  /** Own agents answer this person, including the held messages. */
  'contacts.accept': row(
    () => contactRef,
    () => z.object({ released: z.number().int() }),
  ),
  /** Messages of this person no longer wake agents; the person is not told. */
  'contacts.block': row(
    () => contactRef,
    () => done,
  ),
  /** Clears the decision: the next message asks again. */
  'contacts.forget': row(
    () => contactRef,
    () => done,
  ),
  'peers.holdFirst': row(
    () => z.strictObject({ on: z.boolean() }),
    () => done,
  ),
} as const;
