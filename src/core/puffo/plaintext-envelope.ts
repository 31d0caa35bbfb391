/**
 * Signed but unencrypted messages of later clients (spec §11.1): verified like sealed ones, marked as not
 * encrypted.
 */
import { isRecord } from '../../contract/is-record.ts';
import { ok, type Result } from '../../contract/result.ts';
import { say } from '../../language/say.ts';
import type { CryptoEngine } from '../ports.ts';
import type { OpenedMessage } from './envelope.ts';
import type { Session } from './identity.ts';
import { type MessageDraft, signPayload, verifyPayload } from './payload.ts';
import { refuseWire } from './refusal.ts';
import type { VerifiedIdentity } from './registry.ts';
import { type PlaintextEnvelope, plaintextEnvelopeSchema } from './wire.ts';

/** Body of `POST /v2/messages/plaintext`, for channels whose policy disables encryption. */
export function createPlaintextEnvelope(
  engine: CryptoEngine,
  input: MessageDraft & { readonly envelopeId: string; readonly session: Session },
): Result<PlaintextEnvelope> {
  const signed = signPayload(engine, input, input.session);
  if (!signed.ok) return signed;
  return ok({
    type: 'plaintext_message_envelope',
    version: 1,
    envelope_id: input.envelopeId,
    signed_payload: { payload: signed.value.payload, signature: signed.value.signature },
  });
}

/** Route and sender come from the payload. The id is not signed: deduplicate by sender and id. */
export function openPlaintextEnvelope(
  engine: CryptoEngine,
  raw: unknown,
  sender: VerifiedIdentity,
): Result<OpenedMessage> {
  const parsed = plaintextEnvelopeSchema.safeParse(raw);
  if (!parsed.success || !isRecord(raw)) {
    return refuseWire('malformed', say('server.invalidEnvelope'));
  }
  const payload = verifyPayload(engine, raw.signed_payload, sender);
  if (!payload.ok) return payload;
  return ok({
    envelopeId: parsed.data.envelope_id,
    payload: payload.value,
    encrypted: false,
    scripted: false,
    conversationId: null,
  });
}
