/** Reads members of a JSON body one by one, so that each has its own error message. */
import { imageType } from '../../contract/image-facts.ts';
import { isRecord } from '../../contract/is-record.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { codePointLength } from '../../core/lib/text.ts';
import { roleLimit, roleShortLimit } from '../../core/puffo/role.ts';
import type { BridgeRequest, ParseJson } from './bridge-types.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function readFields(request: BridgeRequest, parseJson: ParseJson): Result<Fields, string> {
  const parsed = request.body.length === 0 ? null : parseJson(request.body);
  if (!parsed) return err('body must be JSON');
  return isRecord(parsed.value) ? ok(parsed.value) : err('body must be a JSON object');
}

/** The first of these members that is present and not a string. */
export function textFault(fields: Fields, names: readonly string[]): string | null {
  const odd = names.find((name) => fields[name] != null && typeof fields[name] !== 'string');
  return odd === undefined ? null : `${odd} must be a string`;
}

export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}

/** A paired device answers no question for its operator, so it cannot switch questions off either. */
export const permissionFault = ({ permission_mode: mode }: Fields): string | null =>
  mode === 'acceptEdits' ? 'permission_mode acceptEdits can only be set in Kennel' : null;

/** Limits of spec §6.7, in code points. */
export function roleFault(role: string | undefined, roleShort: string | undefined): string | null {
  if (codePointLength(role ?? '') > roleLimit) return `role must be at most ${roleLimit} characters`;
  if (codePointLength(roleShort ?? '') > roleShortLimit) {
    return `role_short must be at most ${roleShortLimit} characters`;
  }
  return roleShort && !role ? 'role_short cannot be set without role' : null;
}

const maxAvatarBytes = 4 * 1024 * 1024;

export interface BridgeAvatar {
  /** Standard alphabet, padded. */
  readonly base64: string;
  readonly contentType: string;
}

/** Reads the type from the bytes; the client's own claim is ignored. */
export function readAvatar(value: unknown): Result<BridgeAvatar, string> {
  if (typeof value !== 'string' || !/^[\w+/-]*={0,2}$/.test(value)) {
    return err('avatar_bytes_b64 must be a base64 string');
  }
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length > maxAvatarBytes) return err('avatar exceeds 4 MiB cap');
  const contentType = imageType(bytes);
  if (contentType === null) return err('avatar must be a PNG, JPEG, GIF or WebP picture');
  return ok({ base64: bytes.toString('base64'), contentType });
}
