/**
 * Access checks of the bridge before any of a request is read (T1, T2): only requests for this exact address,
 * and from web pages only the configured origins. The responses are those of the 0.8 bridge (spec §4.1);
 * stricter is that a foreign page is refused instead of left to the signature check.
 */
import { isServedHost, loopbackNames } from '../../platform/http-guards.ts';
import { type BridgeRequest, type BridgeResponse, refusal, textResponse } from './bridge-types.ts';

export interface GateOptions {
  /** The ports of this listener. */
  readonly ports: () => readonly number[];
  readonly allowedOrigins: () => readonly string[];
}

const signedHeaders =
  'x-puffo-version, x-puffo-slug, x-puffo-signer-id, x-puffo-timestamp, x-puffo-nonce, x-puffo-signature, content-type';

const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, POST, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': signedHeaders,
  'Access-Control-Max-Age': '600',
  Vary: 'Origin, Access-Control-Request-Headers',
};

function isOurHost(host: string | undefined, ports: readonly number[]): boolean {
  const allowed = loopbackNames.flatMap((name) => [name, ...ports.map((port) => `${name}:${port}`)]);
  return isServedHost(host, new Set(allowed));
}

export interface Gate {
  /** A response that ends the request here, or `null` to continue. */
  stop(request: Omit<BridgeRequest, 'body'>): BridgeResponse | null;
  /** Adds the headers that every other response has. */
  finish(request: Omit<BridgeRequest, 'body'>, response: BridgeResponse): BridgeResponse;
}

export function createGate({ ports, allowedOrigins }: GateOptions): Gate {
  const allowed = ({ headers }: Pick<BridgeRequest, 'headers'>): string | null =>
    headers.origin !== undefined && allowedOrigins().includes(headers.origin) ? headers.origin : null;
  const finish: Gate['finish'] = (request, response) => {
    const origin = allowed(request);
    const cors = { ...(origin ? { 'Access-Control-Allow-Origin': origin } : {}), Vary: 'Origin' };
    return { ...response, headers: { ...cors, ...response.headers } };
  };
  return {
    stop: (request) => {
      if (!isOurHost(request.headers.host, ports())) return textResponse(403, 'invalid host');
      const origin = allowed(request);
      if (request.method === 'OPTIONS') {
        const forPage = {
          'Access-Control-Allow-Origin': origin ?? '',
          'Access-Control-Allow-Private-Network': 'true',
        };
        return { ...textResponse(204, ''), headers: { ...(origin ? forPage : {}), ...preflightHeaders } };
      }
      const foreign = (request.headers.origin ?? '') !== '' && origin === null;
      return foreign ? finish(request, refusal(403, 'origin not allowed')) : null;
    },
    finish,
  };
}
