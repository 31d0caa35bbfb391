/**
 * Schemas of all objects of the Puffo wire (spec §1.4, §1.6, §2.4, §2.5). Signed objects are kept as received
 * (unknown members included), because a signature covers all of them.
 */
import { z } from 'zod';
import { type ChannelId, isChannelId, isSlug, isSpaceId, type SpaceId } from '../../contract/room-id.ts';
import { isDeviceId, isEventId, isMessageId, isSubkeyId, localEnvelopePrefix } from './ids.ts';

const key = z.string().min(42).max(48);
const signature = z.string().min(84).max(92);
/** ms since the epoch, up to the last valid date: a later one cannot be shown (T24). */
const instant = z.number().int().min(0).max(8_640_000_000_000_000);
export const slugSchema = z.string().refine(isSlug);
export const spaceIdSchema = z.custom<SpaceId>(isSpaceId);
export const channelIdSchema = z.custom<ChannelId>(isChannelId);
export const messageIdSchema = z.custom<string>(isMessageId);
export const eventIdSchema = z.custom<string>(isEventId);
export const deviceIdSchema = z.custom<string>(isDeviceId);
const subkeyId = z.custom<string>(isSubkeyId);
const slug = slugSchema;
/** An agent of puffo-agent may answer its own local prompt, which other accounts do not have. */
const threadRef = z
  .union([
    messageIdSchema,
    z
      .string()
      .max(200)
      .startsWith(localEnvelopePrefix)
      .transform(() => null),
  ])
  .nullish();

export const identityCertSchema = z.looseObject({
  type: z.literal('identity_cert'),
  version: z.literal(1),
  root_public_key: key,
  identity_type: z.enum(['human', 'agent']),
  declared_operator_public_key: key.nullable(),
  self_signature: signature,
});
export type IdentityCert = z.infer<typeof identityCertSchema>;

export const slugBindingSchema = z.looseObject({
  type: z.literal('slug_binding'),
  version: z.literal(1),
  root_public_key: key,
  slug,
  issued_at: instant,
  self_signature: signature,
});
export type SlugBinding = z.infer<typeof slugBindingSchema>;

const keyEntry = (algorithm: 'ed25519' | 'x25519') =>
  z.looseObject({ algorithm: z.literal(algorithm), public_key: key });

export const deviceCertSchema = z.looseObject({
  type: z.literal('device_cert'),
  version: z.literal(1),
  device_id: deviceIdSchema,
  root_public_key: key,
  keys: z.looseObject({ signing: keyEntry('ed25519'), encryption: keyEntry('x25519').optional() }),
  /** Legacy certificates carry the encryption key here instead. */
  kem_public_key: key.optional(),
  issued_at: instant,
  expires_at: instant.nullish(),
  signature,
});
export type DeviceCert = z.infer<typeof deviceCertSchema>;

export const subkeyCertSchema = z.looseObject({
  type: z.literal('subkey_cert'),
  version: z.literal(1),
  subkey_id: subkeyId,
  device_id: deviceIdSchema,
  subkey_public_key: key,
  issued_at: instant,
  expires_at: instant.nullish(),
  signature,
});
export type SubkeyCert = z.infer<typeof subkeyCertSchema>;

export const operatorAttestationSchema = z.looseObject({
  type: z.literal('operator_attestation'),
  version: z.literal(1),
  operator_root_public_key: key,
  agent_root_public_key: key,
  issued_at: instant,
  nonce: key,
  signature,
});
export type OperatorAttestation = z.infer<typeof operatorAttestationSchema>;

export const deviceRevocationSchema = z.looseObject({
  type: z.literal('device_revocation'),
  version: z.literal(1),
  device_id: deviceIdSchema,
  root_public_key: key,
  effective_from: instant,
  issued_at: instant,
  signature,
});
export type DeviceRevocation = z.infer<typeof deviceRevocationSchema>;

/** No source lists its members; they follow those of the attestation and the device revocation. */
export const operatorRevocationSchema = z.looseObject({
  type: z.literal('operator_revocation'),
  version: z.literal(1),
  operator_root_public_key: key,
  agent_root_public_key: key,
  effective_from: instant,
  issued_at: instant,
  signature,
});
export type OperatorRevocation = z.infer<typeof operatorRevocationSchema>;

export const rootKeyEnvelopeSchema = z.looseObject({
  type: z.literal('root_key_envelope'),
  version: z.literal(1),
  enrollment_nonce: key,
  recipient_kem_public_key: key,
  hpke_ciphertext: z.string().min(100).max(120),
  root_public_key_fingerprint: key,
});
export type RootKeyEnvelope = z.infer<typeof rootKeyEnvelopeSchema>;

/** All 15 members are always present; the unused route is explicitly null (spec §1.6). */
export const messagePayloadSchema = z.looseObject({
  type: z.literal('message_payload'),
  version: z.literal(1),
  envelope_kind: z.enum(['channel', 'dm']).default('channel'),
  sender_slug: slug,
  sender_subkey_id: subkeyId,
  space_id: spaceIdSchema.nullable(),
  channel_id: channelIdSchema.nullable(),
  recipient_slug: slug.nullable(),
  sent_at: instant,
  message_nonce: z.string().min(1).max(64),
  thread_root_id: threadRef,
  reply_to_id: threadRef,
  content_type: z.string().min(1).max(200),
  content: z.unknown(),
  is_visible_to_human: z.boolean().default(true),
});
export type MessagePayload = z.infer<typeof messagePayloadSchema>;

export const recipientSchema = z.looseObject({
  device_id: deviceIdSchema,
  hpke_enc: key,
  wrapped_content_key: z.string().min(64).max(68),
});

export const messageEnvelopeSchema = z.looseObject({
  type: z.literal('message_envelope'),
  version: z.literal(1),
  envelope_id: messageIdSchema,
  envelope_kind: z.enum(['channel', 'dm']).default('channel'),
  sender_slug: slug,
  sent_at: instant,
  space_id: spaceIdSchema.nullish(),
  channel_id: channelIdSchema.nullish(),
  recipient_slug: slug.nullish(),
  content_nonce: z.string().min(16).max(20),
  content_ciphertext: z.string().min(1).max(1_400_000),
  recipients: z.array(recipientSchema).max(10_000),
});
export type MessageEnvelope = z.infer<typeof messageEnvelopeSchema>;

export const plaintextEnvelopeSchema = z.looseObject({
  type: z.literal('plaintext_message_envelope'),
  version: z.literal(1),
  envelope_id: messageIdSchema,
  signed_payload: z.looseObject({ payload: messagePayloadSchema, signature }),
});
export type PlaintextEnvelope = z.infer<typeof plaintextEnvelopeSchema>;

export const signedEventSchema = z.looseObject({
  type: z.literal('signed_event'),
  version: z.literal(1),
  event_id: eventIdSchema,
  kind: z.string().min(1).max(60),
  payload: z.record(z.string(), z.unknown()),
  signer_slug: slug,
  // `server` for the server's own events: looked up in the registry, never used as a key.
  signer_device_id: z.string().min(1).max(200),
  signer_subkey_id: z.string().min(1).max(200),
  signature,
});
export type SignedEvent = z.infer<typeof signedEventSchema>;

export const certEntrySchema = z.looseObject({
  seq: z.number().int().min(0),
  kind: z.string().max(60),
  slug,
  cert: z.unknown(),
});

export const connectFrameSchema = z.looseObject({
  type: z.literal('connect'),
  slug,
  subkey_id: subkeyId,
  nonce: z.string().min(16).max(64),
  timestamp: instant,
  signature,
});
export type ConnectFrame = z.infer<typeof connectFrameSchema>;

export const serverFrameSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('connected'), session_id: z.string() }),
  z.looseObject({ type: z.literal('ping') }),
  z.looseObject({
    type: z.literal('message'),
    envelope: z.unknown(),
    seq: z.number().int().positive().optional(),
  }),
  z.looseObject({ type: z.literal('event'), scope: z.string().optional(), event: z.unknown() }),
  z.looseObject({ type: z.literal('cert_update'), entry: z.unknown() }),
  z.looseObject({ type: z.literal('space_membership_changed'), space_id: spaceIdSchema }),
  z.looseObject({ type: z.literal('channel_update') }),
  z.looseObject({ type: z.literal('processing') }),
  z.looseObject({ type: z.literal('contact_request'), slug }),
  z.looseObject({ type: z.literal('agent_status') }),
  z.looseObject({ type: z.literal('error') }),
]);
export type ServerFrame = z.infer<typeof serverFrameSchema>;

/** Limits before parsing (T24): bytes of a WebSocket frame, bytes of an HTTP body, nesting of JSON. */
export const maxWsFrameBytes = 1024 * 1024;
export const maxBodyBytes = 10 * 1024 * 1024;
/** A file of 8 MiB and its tag. */
export const maxBlobBytes = 8 * 1024 * 1024 + 16;
export const maxJsonDepth = 64;
