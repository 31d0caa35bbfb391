/**
 * OAuth 2 as pure functions: building requests, parsing answers, checking token age. If an answer omits the
 * refresh token, the old one stays valid (RFC 6749 §6).
 */
import { z } from 'zod';
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { fromBase64Url, fromUtf8 } from '../lib/bytes.ts';
import { isSafeAddress, type LoginInfo } from './logins.ts';

/** Credentials of a login. Stored encrypted, never logged, never shown. */
export interface LoginRecord {
  /** Bearer token, or the API key from a key exchange. */
  readonly access: string;
  readonly refresh: string | null;
  /** ms since the epoch; `null` if it does not expire. */
  readonly expiresAt: number | null;
  /** As the provider reports it; empty if it does not. */
  readonly account: string;
  readonly kind: LoginInfo['kind'];
  /** The provider refused the refresh token: only a new login helps. */
  readonly refused: boolean;
}

export const loginRecordSchema: z.ZodType<LoginRecord> = z.object({
  access: z.string().min(1),
  refresh: z.string().nullable(),
  expiresAt: z.number().nullable(),
  account: z.string(),
  kind: z.enum(['oauth', 'key-exchange']),
  refused: z.boolean(),
});

/** ms before expiry at which a token is renewed. */
export const refreshMarginMs = 60_000;

export const isStale = (record: LoginRecord, nowMs: number): boolean =>
  record.expiresAt !== null && nowMs >= record.expiresAt - refreshMarginMs;

export const isOver = (record: LoginRecord, nowMs: number): boolean =>
  record.expiresAt !== null && nowMs >= record.expiresAt;

export interface AuthorizeParts {
  readonly redirectUri: string;
  readonly state: string;
  /** S256 of the verifier. */
  readonly challenge: string;
}

export function authorizeUrl(info: LoginInfo, parts: AuthorizeParts): string {
  const url = new URL(info.authorize_url);
  const set = (name: string, value: string): void => url.searchParams.set(name, value);
  set('code_challenge', parts.challenge);
  set('code_challenge_method', 'S256');
  if (info.kind === 'key-exchange') {
    // The provider returns no `state`, so the callback URL carries it.
    const back = new URL(parts.redirectUri);
    back.searchParams.set('state', parts.state);
    set('callback_url', back.href);
    return url.href;
  }
  set('response_type', 'code');
  set('client_id', info.client_id);
  set('redirect_uri', parts.redirectUri);
  set('state', parts.state);
  if (info.scopes.length > 0) set('scope', info.scopes.join(' '));
  return url.href;
}

const tokenSchema = z.looseObject({
  access_token: z.string().min(1).max(16_384),
  token_type: z.string().nullish(),
  refresh_token: z.string().min(1).max(16_384).nullish(),
  expires_in: z.coerce.number().min(0).nullish(),
  id_token: z.string().max(65_536).nullish(),
});
const keySchema = z.looseObject({ key: z.string().min(1).max(16_384), user_id: z.string().nullish() });
const deviceSchema = z.looseObject({
  device_code: z.string().min(1).max(4_096),
  user_code: z.string().min(1).max(100),
  verification_uri: z.string().max(2_000),
  expires_in: z.coerce.number().min(1).max(86_400),
  interval: z.coerce.number().min(0).max(300).nullish(),
});
const errorSchema = z.looseObject({ error: z.string().max(200), error_description: z.string().nullish() });

/** `before`: the record to renew. */
export function readTokens(
  kind: LoginInfo['kind'],
  body: unknown,
  nowMs: number,
  before: LoginRecord | null,
): Result<LoginRecord> {
  if (kind === 'key-exchange') {
    const parsed = keySchema.safeParse(body);
    if (!parsed.success) return err(unreadable());
    const { key, user_id } = parsed.data;
    return ok({
      access: key,
      refresh: null,
      expiresAt: null,
      account: user_id ?? '',
      kind,
      refused: false,
    });
  }
  const parsed = tokenSchema.safeParse(body);
  if (!parsed.success || !/^(bearer)?$/i.test(parsed.data.token_type ?? '')) return err(unreadable());
  const { access_token, refresh_token, expires_in, id_token } = parsed.data;
  return ok({
    access: access_token,
    refresh: refresh_token ?? before?.refresh ?? null,
    expiresAt: expires_in === null || expires_in === undefined ? null : nowMs + expires_in * 1000,
    account: accountOf(id_token) || (before?.account ?? ''),
    kind,
    refused: false,
  });
}

export interface DeviceStart {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly url: string;
  readonly expiresAt: number;
  readonly intervalMs: number;
}

export function readDeviceStart(body: unknown, nowMs: number): Result<DeviceStart> {
  const parsed = deviceSchema.safeParse(body);
  // The address is opened in a browser: only a web address may pass.
  if (!parsed.success || !isSafeAddress(parsed.data.verification_uri)) return err(unreadable());
  const { device_code, user_code, verification_uri, expires_in, interval } = parsed.data;
  return ok({
    deviceCode: device_code,
    userCode: user_code,
    url: verification_uri,
    expiresAt: nowMs + expires_in * 1000,
    intervalMs: Math.max(1, interval ?? 5) * 1000,
  });
}

/** `error` code of an OAuth answer (RFC 6749 §5.2, RFC 8628 §3.5); empty if none. */
export function oauthError(body: unknown): string {
  const parsed = errorSchema.safeParse(body);
  return parsed.success ? parsed.data.error : '';
}

const unreadable = (): AppError =>
  fail('protocol', 'logins.answerUnreadable', {}, { help: 'logins.checkLoginAddresses' });

/** For display only; the token comes directly from the provider, so its signature need not be verified. */
function accountOf(idToken: string | null | undefined): string {
  const middle = idToken?.split('.')[1];
  if (!middle) return '';
  try {
    const claims: unknown = JSON.parse(fromUtf8(fromBase64Url(middle) ?? new Uint8Array()) ?? '');
    const parsed = z.looseObject({ email: z.string().max(300) }).safeParse(claims);
    return parsed.success ? parsed.data.email : '';
  } catch {
    return '';
  }
}
