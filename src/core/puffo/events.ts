/**
 * Signed space events (spec §2.4): the subkey signs the whole object, and all three signer members are
 * required.
 */
import { ok, type Result } from '../../contract/result.ts';
import { say } from '../../language/say.ts';
import { toBase64Url } from '../lib/bytes.ts';
import type { CryptoEngine, Random } from '../ports.ts';
import type { JsonRecord } from './canonical-json.ts';
import type { Session } from './identity.ts';
import { newEventId } from './ids.ts';
import { refuseWire } from './refusal.ts';
import { findSubkey, type VerifiedIdentity } from './registry.ts';
import { signObject, verifyObject } from './signatures.ts';
import { type SignedEvent, signedEventSchema } from './wire.ts';

export interface EventSigner {
  readonly slug: string;
  readonly deviceId: string;
  readonly session: Session;
}

/** Adds `nonce` (32 bytes) to the payload if missing. Error: `not_canonical`. */
export function signEvent(
  engine: CryptoEngine,
  event: { readonly kind: string; readonly payload: JsonRecord },
  signer: EventSigner,
  random: Random,
): Result<SignedEvent> {
  const body = {
    type: 'signed_event' as const,
    version: 1 as const,
    event_id: newEventId(random),
    kind: event.kind,
    payload: { nonce: toBase64Url(random.bytes(32)), ...event.payload },
    signer_slug: signer.slug,
    signer_device_id: signer.deviceId,
    signer_subkey_id: signer.session.subkeyId,
  };
  const signed = signObject(engine, body, signer.session.secret);
  return signed.ok ? ok({ ...body, signature: signed.value }) : signed;
}

/**
 * `at`: ms since the epoch at which the signer's chain must be valid (the server's clock when it accepts the
 * event; the event's own time when reading history). Errors: `malformed`, `sender_mismatch`,
 * `unknown_device`, those of `findSubkey`, `bad_signature`.
 */
export function verifyEvent(
  engine: CryptoEngine,
  raw: unknown,
  signer: VerifiedIdentity,
  at: number,
): Result<SignedEvent> {
  const parsed = signedEventSchema.safeParse(raw);
  if (!parsed.success) return refuseWire('malformed', say('server.invalidEvent'));
  const event = parsed.data;
  if (event.signer_slug !== signer.slug) {
    return refuseWire(
      'sender_mismatch',
      say('server.eventSignerMismatch', { signer_slug: event.signer_slug, slug: signer.slug }),
    );
  }
  const subkey = findSubkey(signer, event.signer_subkey_id, at);
  if (!subkey.ok) return subkey;
  if (subkey.value.deviceId !== event.signer_device_id) {
    return refuseWire('unknown_device', say('server.eventDeviceMismatch'));
  }
  const held = verifyObject(engine, raw as JsonRecord, event.signature, subkey.value.publicKey);
  return held.ok ? ok(event) : held;
}
