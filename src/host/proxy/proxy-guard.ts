/**
 * Checks of a request to the stream proxy before its body is read: the host name (T1), no web page as origin
 * (T2), a valid token, JSON, and the size (T24).
 */
import type { IncomingMessage } from 'node:http';
import { type AppError, appError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { parseGuardedJson } from '../../core/lib/guarded-json.ts';
import { proxyPath } from '../../core/models/proxy-wire.ts';
import type { Clock } from '../../core/ports.ts';
import { isJsonType, refuseForeign } from '../../platform/http-guards.ts';
import { readBody } from '../../platform/read-body.ts';

export const maxProxyBodyBytes = 10 * 1024 * 1024;
const maxJsonDepth = 64;

export interface ProxyRefusal {
  readonly status: number;
  readonly error: AppError;
  readonly headers?: Readonly<Record<string, string>>;
}

const refusal = (status: number, error: AppError, headers: ProxyRefusal['headers'] = {}): ProxyRefusal => ({
  status,
  error,
  headers,
});

/** Sent before routing, so that requests under another host name learn nothing. */
const misdirected = refusal(421, fail('forbidden', 'proxy.addressNotServed'));

export function checkHead(
  { headers, method, url }: IncomingMessage,
  hosts: ReadonlySet<string>,
  whose: (token: string) => string | null,
): Result<string, ProxyRefusal> {
  const foreign = refuseForeign(headers, hosts, 'none');
  if (foreign?.status === 421) return err(misdirected);
  if (foreign) {
    return err(refusal(403, fail('forbidden', 'proxy.browserForbidden')));
  }
  const token = /^Bearer ([\w.~+/=-]{1,500})$/i.exec(headers.authorization ?? '')?.[1];
  const name = token === undefined ? null : whose(token);
  if (name === null) {
    const error = fail('unauthenticated', 'proxy.tokenRequired');
    return err(refusal(401, error, { 'www-authenticate': 'Bearer' }));
  }
  if (url !== proxyPath) return err(refusal(404, fail('not_found', 'proxy.unknownPath')));
  if (method !== 'POST') {
    return err(refusal(405, fail('invalid_input', 'proxy.postOnly'), { allow: 'POST' }));
  }
  if (!isJsonType(headers['content-type'])) {
    return err(refusal(415, fail('invalid_input', 'proxy.requestNotJson')));
  }
  if (Number(headers['content-length'] ?? 0) > maxProxyBodyBytes) return err(tooLarge);
  return ok(name);
}

const tooLarge = refusal(413, fail('too_large', 'proxy.conversationTooLarge'));

const bodyMs = 30_000;

export async function readProxyConversation(
  request: IncomingMessage,
  clock: Clock,
): Promise<Result<unknown, ProxyRefusal>> {
  const body = await readBody(request, { bytes: maxProxyBodyBytes, ms: bodyMs }, clock);
  if (!body.ok) {
    const isLarge = body.problem === 'too_large';
    return err(isLarge ? tooLarge : refusal(408, fail('timeout', 'proxy.requestTooSlow')));
  }
  const parsed = parseGuardedJson(body.value, maxJsonDepth);
  return parsed.ok ? ok(parsed.value) : err(refusal(400, appError('invalid_input', parsed.why)));
}

const statusOf: Partial<Record<AppError['code'], number>> = {
  invalid_input: 400,
  unauthenticated: 502,
  not_found: 404,
  rate_limited: 429,
  too_large: 413,
  unavailable: 503,
};

export const findProxyRefusal = (error: AppError): ProxyRefusal =>
  refusal(statusOf[error.code] ?? 500, error);
