/**
 * Turns a model server's error response into a failure: what happened, whether to retry, when. Never repeats
 * a key.
 */
import { type AppError, hintOf, withHint } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import type { ModelFailure } from '../../core/models/model-ports.ts';
import { isOverflow } from '../../core/models/overflow.ts';
import { say } from '../../language/say.ts';
import { resetInMs } from './reset-times.ts';

export interface HttpRefusal {
  readonly status: number;
  /** The `Retry-After` header, unparsed. */
  readonly retryAfter: string | null;
  /** The `retry-after-ms` header, unparsed. */
  readonly retryAfterMs?: string | null;
  /** Other headers, for limits whose end they tell. */
  readonly header?: (name: string) => string | null;
  /** The `x-should-retry` header, if the server sends it. */
  readonly shouldRetry?: boolean;
  readonly body: string;
  readonly server: string;
  readonly model: string;
  readonly apiKey: string | null;
  readonly nowMs: number;
}

/** Maps a status other than 200. Retryable are 408, 409, 429 and 5xx, unless the server says otherwise. */
export function refusalFailure(refusal: HttpRefusal): ModelFailure {
  const { status } = refusal;
  const { error, retryable } = explain(refusal);
  const wait = waitTold(refusal);
  return {
    error,
    status,
    retryable: refusal.shouldRetry ?? retryable,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(status === 413 || isOverflow(status, refusal.body) ? { overflow: true } : {}),
  };
}

type Verdict = Pick<ModelFailure, 'error' | 'retryable'>;

function explain(refusal: HttpRefusal): Verdict {
  const { status, server, model } = refusal;
  const said = serverWords(refusal.body, refusal.apiKey);
  const verdict = (error: AppError, retryable: boolean): Verdict => ({
    error: status === 401 || status === 403 ? error : withWords(error, said),
    retryable,
  });
  // Rate limits are checked first, because throttling messages mention tokens too.
  if (status === 429) return verdict(tooOften(refusal), !isOutOfCredit(refusal.body));
  if (isOverflow(status, refusal.body) || status === 413) {
    return verdict(fail('too_large', 'models.conversationTooLarge', { server }), false);
  }
  if (status === 401 || status === 403) {
    const error = fail(
      'unauthenticated',
      'models.apiKeyRefused',
      { server },
      { help: 'models.checkAgentKey' },
    );
    return verdict(error, false);
  }
  if (status === 402) {
    return verdict(fail('rate_limited', 'models.outOfCredit', { server }), false);
  }
  if (status === 404) {
    const error = fail(
      'not_found',
      'models.unknownModel',
      { server, model },
      { help: 'models.checkModelAndUrl' },
    );
    return verdict(error, false);
  }
  if (status === 408 || status === 409 || status >= 500) {
    return verdict(fail('unavailable', 'models.serverUnavailable', { server, status }), true);
  }
  return verdict(fail('model_error', 'models.requestRefused', { server, status }), false);
}

function tooOften({ server, body }: HttpRefusal): AppError {
  const text = isOutOfCredit(body)
    ? say('models.outOfCreditReason', { server })
    : say('models.rateLimitReason', { server });
  return fail('rate_limited', 'models.rateLimited', { text });
}

const isOutOfCredit = (body: string): boolean =>
  /insufficient_quota|billing_hard_limit|credit balance|no credit|out of credits/i.test(body);

/**
 * Delay in ms from the ms header, the `Retry-After` header (seconds or date), Google's `retryDelay` in the body,
 * or the end of a limit.
 */
function waitTold(refusal: HttpRefusal): number | undefined {
  const { status, retryAfter, retryAfterMs: exact, body, nowMs, header: other } = refusal;
  const ms = exact === undefined || exact === null ? Number.NaN : Number.parseFloat(exact);
  if (ms >= 0) return Math.min(Math.ceil(ms), 86_400_000);
  const header = retryAfterMs(retryAfter, nowMs);
  if (header !== undefined) return header;
  const delay = /"retryDelay"\s*:\s*"(\d{1,6}(?:\.\d{1,9})?)s"/.exec(body)?.[1];
  if (delay !== undefined) return retryAfterMs(delay, nowMs);
  return status === 429 ? resetInMs(other ?? (() => null), body, nowMs) : undefined;
}

/** Parses seconds or an HTTP date (RFC 9110 §10.2.3) to ms, at most a day; `undefined` if unusable. */
export function retryAfterMs(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isFinite(ms) ? Math.min(Math.max(0, Math.ceil(ms)), 86_400_000) : undefined;
}

/**
 * The server's error message, shortened, without anything that looks like a key. It may repeat parts of the
 * request, so it belongs in the hint, which only the operator reads; the error message itself goes to files
 * and to the team.
 */
export function serverWords(body: string, apiKey: string | null): string {
  const message = /"message"\s*:\s*"((?:[^"\\]|\\.){1,2000})"/.exec(body)?.[1];
  if (!message) return '';
  let text = message.replaceAll(/\\[nrt]/g, ' ').replaceAll(/\\(.)/g, '$1');
  if (apiKey) text = text.replaceAll(apiKey, '[key]');
  text = text.replaceAll(/\b(sk|key|pk|AIza)[-_A-Za-z0-9*.]{6,}/g, '[key]').replace(/[.\s]+$/, '');
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Puts the server's own message in front of the hint. */
export function withWords(error: AppError, said: string): AppError {
  if (said === '') return error;
  const next = hintOf(error);
  return withHint(
    error,
    next === undefined ? say('models.serverSays', { said }) : say('models.serverSaysNext', { said, next }),
  );
}
