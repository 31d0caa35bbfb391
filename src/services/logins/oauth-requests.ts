/**
 * The requests of a login to the provider's own URLs: no redirects, a byte cap, a deadline; no error contains
 * a secret.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { sleep } from '../../core/lib/sleep.ts';
import type { LoginInfo } from '../../core/models/logins.ts';
import {
  type DeviceStart,
  type LoginRecord,
  oauthError,
  readDeviceStart,
  readTokens,
} from '../../core/models/oauth.ts';
import type { Clock } from '../../core/ports.ts';
import { say } from '../../language/say.ts';
import { readResponse } from '../../platform/read-response.ts';

export interface OAuthDeps {
  readonly clock: Clock;
  readonly fetch: typeof fetch;
}

const answerMs = 30_000;
const maxBytes = 262_144;

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
  readonly state: string;
}

export function newPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return { verifier, challenge, state: randomBytes(32).toString('base64url') };
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

type Body = Readonly<Record<string, string>>;

export function exchangeCode(
  deps: OAuthDeps,
  info: LoginInfo,
  { code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string },
  signal: AbortSignal,
): Promise<Result<LoginRecord>> {
  if (info.kind === 'key-exchange') {
    const body = { code, code_verifier: verifier, code_challenge_method: 'S256' };
    return tokens(deps, info, body, signal);
  }
  const body = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: info.client_id,
    code_verifier: verifier,
  };
  return tokens(deps, info, body, signal);
}

/** `unauthenticated` if the provider no longer accepts this refresh token. Any other error may be retried. */
export async function refreshLogin(
  deps: OAuthDeps,
  info: LoginInfo,
  record: LoginRecord,
): Promise<Result<LoginRecord>> {
  const body = {
    grant_type: 'refresh_token',
    refresh_token: record.refresh ?? '',
    client_id: info.client_id,
  };
  const answer = await post(deps, info.token_url, body, 'form', new AbortController().signal);
  if (!answer.ok) return answer;
  if (answer.value.status === 200) {
    return readTokens(info.kind, answer.value.body, deps.clock.now(), record);
  }
  const word = oauthError(answer.value.body);
  if (word === 'invalid_grant' || answer.value.status === 401) return err(loginEnded());
  return err(refused(info, answer.value));
}

export async function startDevice(
  deps: OAuthDeps,
  info: LoginInfo,
  signal: AbortSignal,
): Promise<Result<DeviceStart>> {
  const scope = info.scopes.length > 0 ? { scope: info.scopes.join(' ') } : {};
  const body = { client_id: info.client_id, ...scope };
  const answer = await post(deps, info.device_url, body, 'form', signal);
  if (!answer.ok) return answer;
  if (answer.value.status !== 200) return err(refused(info, answer.value));
  return readDeviceStart(answer.value.body, deps.clock.now());
}

/** Polls at the given interval until the user has answered (RFC 8628 §3.5). */
export async function pollDevice(
  deps: OAuthDeps,
  info: LoginInfo,
  start: DeviceStart,
  signal: AbortSignal,
): Promise<Result<LoginRecord>> {
  const body = {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: start.deviceCode,
    client_id: info.client_id,
  };
  let wait = start.intervalMs;
  while (deps.clock.now() < start.expiresAt) {
    await sleep(deps.clock, wait, signal);
    if (signal.aborted) return err(stopped());
    const answer = await post(deps, info.token_url, body, 'form', signal);
    if (!answer.ok) {
      // Without a response the standard requires a longer interval.
      wait = Math.min(wait * 2, 60_000);
      continue;
    }
    const word = oauthError(answer.value.body);
    if (word === 'slow_down') wait += 5_000;
    else if (word === 'expired_token') break;
    else if (word === 'access_denied') return err(denied());
    else if (word !== 'authorization_pending') {
      if (word !== '' || answer.value.status !== 200) return err(refused(info, answer.value));
      return readTokens(info.kind, answer.value.body, deps.clock.now(), null);
    }
  }
  return err(tooLate());
}

/** RFC 7009; a login without a revocation URL has nothing to revoke. */
export async function revokeLogin(deps: OAuthDeps, info: LoginInfo, token: string): Promise<Result<void>> {
  if (info.revoke_url === '') return ok(undefined);
  const body = { token, client_id: info.client_id };
  const answer = await post(deps, info.revoke_url, body, 'form', new AbortController().signal);
  if (!answer.ok) return answer;
  return answer.value.status === 200 ? ok(undefined) : err(refused(info, answer.value));
}

async function tokens(
  deps: OAuthDeps,
  info: LoginInfo,
  body: Body,
  signal: AbortSignal,
): Promise<Result<LoginRecord>> {
  const format = info.kind === 'key-exchange' ? 'json' : 'form';
  const answer = await post(deps, info.token_url, body, format, signal);
  if (!answer.ok) return answer;
  if (answer.value.status !== 200) return err(refused(info, answer.value));
  return readTokens(info.kind, answer.value.body, deps.clock.now(), null);
}

async function post(
  { clock, fetch }: OAuthDeps,
  url: string,
  body: Body,
  format: 'form' | 'json',
  outer: AbortSignal,
): Promise<Result<Answer>> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = clock.after(answerMs, abort);
  outer.addEventListener('abort', abort, { once: true });
  if (outer.aborted) abort();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': format === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
      },
      body: format === 'json' ? JSON.stringify(body) : new URLSearchParams(body).toString(),
      redirect: 'manual',
      signal: controller.signal,
    });
    return ok({ status: response.status, body: await readJson(response) });
  } catch {
    return err(outer.aborted ? stopped() : unreachable(url));
  } finally {
    timer.cancel();
    outer.removeEventListener('abort', abort);
    controller.abort();
  }
}

/** `null` if too long or not JSON. */
async function readJson(response: Response): Promise<unknown> {
  const { text, isWhole } = await readResponse(response, maxBytes);
  if (!isWhole) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const host = (url: string): string => URL.parse(url)?.host ?? 'the login server';

const unreachable = (url: string): AppError =>
  fail('unavailable', 'logins.serverUnreachable', { host: host(url) }, { help: 'logins.tryAgain' });

/** Quotes only the standard error code of the server: descriptions may repeat the request. */
function refused(info: LoginInfo, { status, body }: Answer): AppError {
  const word = /^[\w.-]{1,60}$/.exec(oauthError(body))?.[0];
  const values = { host: host(info.token_url), reason: word ?? say('logins.answerStatus', { status }) };
  if (status === 429 || status >= 500)
    return fail('unavailable', 'logins.loginRefused', values, { help: 'logins.tryAgainLater' });
  return fail('unauthenticated', 'logins.loginRefused', values, { help: 'logins.logInAgain' });
}

const loginEnded = (): AppError =>
  fail('unauthenticated', 'logins.providerEndedLogin', {}, { help: 'logins.logInAgain' });
const denied = (): AppError =>
  fail('unauthenticated', 'logins.loginDeclined', {}, { help: 'logins.startAgainIfMistake' });
const tooLate = (): AppError => fail('timeout', 'logins.confirmTimedOut', {}, { help: 'logins.startAgain' });
const stopped = (): AppError => fail('cancelled', 'logins.loginStopped');
