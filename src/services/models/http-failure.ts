/** A model server's refusal in people's words: what happened, whether to try again, when. Never repeats a key. */
import { type AppError, appError } from '../../contract/errors.ts';
import type { ModelEvent } from '../../core/ports.ts';

type Failed = Extract<ModelEvent, { type: 'failed' }>;

export const failed = (error: AppError, retryable: boolean, retryAfterMs?: number): Failed => ({
  type: 'failed',
  error,
  retryable,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

export interface Refusal {
  readonly status: number;
  /** `Retry-After`, as it came. */
  readonly retryAfter: string | null;
  readonly body: string;
  readonly server: string;
  readonly model: string;
  readonly apiKey: string | null;
  readonly nowMs: number;
}

export function httpFailure(refusal: Refusal): Failed {
  const { status, server, model } = refusal;
  const said = serverWords(refusal.body, refusal.apiKey);
  const wait = retryAfterMs(refusal.retryAfter, refusal.nowMs);
  if (status === 401 || status === 403) {
    return failed(
      appError('unauthenticated', `${server} refused the API key.`, {
        hint: 'Check the key with `kennel agent runtime ID --api-key -`.',
      }),
      false,
    );
  }
  if (status === 404) {
    return failed(
      appError('not_found', `${server} does not know the model "${model}" or the address is wrong${said}.`, {
        hint: 'Check the model name and the base URL of this agent.',
      }),
      false,
    );
  }
  if (status === 429) {
    const spent = /insufficient_quota|billing|credit/i.test(refusal.body);
    const text = spent ? `${server} says the account has no credit left` : `${server} is asked too often`;
    return failed(appError('rate_limited', `${text}${said}.`), !spent, wait);
  }
  if (status === 413) {
    return failed(appError('too_large', `The conversation is too large for ${server}${said}.`), false);
  }
  if (status === 408 || status >= 500) {
    const text = `${server} is not working right now (answer ${status})${said}.`;
    return failed(appError('unavailable', text), true, wait);
  }
  return failed(appError('model_error', `${server} refused the request (answer ${status})${said}.`), false);
}

/** Seconds or an HTTP date (RFC 9110 §10.2.3); at most a day; undefined where nothing usable was said. */
export function retryAfterMs(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isFinite(ms) ? Math.min(Math.max(0, Math.ceil(ms)), 86_400_000) : undefined;
}

/** What the server says about its error, shortened, with anything that looks like a key taken out. */
export function serverWords(body: string, apiKey: string | null): string {
  const message = /"message"\s*:\s*"((?:[^"\\]|\\.){1,2000})"/.exec(body)?.[1];
  if (!message) return '';
  let text = message.replaceAll(/\\[nrt]/g, ' ').replaceAll(/\\(.)/g, '$1');
  if (apiKey) text = text.replaceAll(apiKey, '[key]');
  text = text.replaceAll(/\b(sk|key|pk|AIza)[-_A-Za-z0-9*.]{6,}/g, '[key]').replace(/[.\s]+$/, '');
  return `: ${text.length > 200 ? `${text.slice(0, 200)}…` : text}`;
}
