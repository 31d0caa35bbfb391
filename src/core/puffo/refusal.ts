/**
 * Reasons why wire data is refused. Each cause has one stable code in `AppError.where`, so that refusals can
 * be counted and shown without parsing sentences.
 */
import { type ErrorCode, textError } from '../../contract/errors.ts';
import { type Err, err } from '../../contract/result.ts';
import type { HostText } from '../../language/host-message.ts';

const codes = {
  // cannot be signed or sent
  not_canonical: 'invalid_input',
  empty_field: 'invalid_input',
  field_too_long: 'invalid_input',
  time_out_of_range: 'invalid_input',
  unknown_kind: 'invalid_input',
  missing_route: 'invalid_input',
  no_recipients: 'invalid_input',
  weak_kem_key: 'untrusted',
  // does not have the shape of the protocol
  malformed: 'protocol',
  bad_nonce: 'protocol',
  bad_key: 'protocol',
  not_for_me: 'protocol',
  // fails verification
  bad_tag: 'untrusted',
  bad_wrap: 'untrusted',
  bad_signature: 'untrusted',
  sender_mismatch: 'untrusted',
  route_mismatch: 'untrusted',
  unknown_subkey: 'untrusted',
  expired_subkey: 'untrusted',
  early_subkey: 'untrusted',
  expired_device: 'untrusted',
  revoked_device: 'untrusted',
  unknown_device: 'untrusted',
  device_id_mismatch: 'untrusted',
  subkey_id_mismatch: 'untrusted',
  root_mismatch: 'untrusted',
  root_changed: 'untrusted',
  slug_mismatch: 'untrusted',
  no_identity: 'untrusted',
  no_slug_binding: 'untrusted',
  fingerprint_mismatch: 'untrusted',
  content_hash_mismatch: 'untrusted',
  // requests and connections
  missing_headers: 'unauthenticated',
  stale_timestamp: 'unauthenticated',
  bad_request_signature: 'unauthenticated',
} as const satisfies Record<string, ErrorCode>;

export type RefusalReason = keyof typeof codes;

export const refuseWire = (reason: RefusalReason, message: HostText): Err =>
  err(textError(codes[reason], message, { where: reason }));
