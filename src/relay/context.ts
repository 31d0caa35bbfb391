/** The context shared by all routes of the relay, and the types of requests and responses. */
import type { z } from 'zod';
import type { Result } from '../contract/result.ts';
import type { Clock, CryptoEngine, Log, Random } from '../core/ports.ts';
import type { CommitQueue } from './commit-queue.ts';
import type { RelayLimits } from './limits.ts';
import type { Hub } from './live-connections.ts';
import type { Refusal } from './refusal.ts';
import type { ServerKey } from './server-key.ts';
import type { RelayStore } from './store-port.ts';

export interface RelayContext {
  readonly store: RelayStore;
  readonly queue: CommitQueue;
  readonly hub: Hub;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly limits: RelayLimits;
  readonly serverKey: ServerKey;
}

/** The identity that signed a request. */
export interface Caller {
  readonly slug: string;
  readonly deviceId: string;
}

export interface RelayRequest {
  /** Path parameters, e.g. `id` of `/blobs/:id`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Uint8Array;
  json<T>(schema: z.ZodType<T>): Result<T, Refusal>;
}

export interface RouteAnswer {
  readonly status: number;
  /** An object to serialise, JSON text to send unchanged, or the raw bytes of a file. */
  readonly body: Readonly<Record<string, unknown>> | string | Uint8Array;
}

export type RouteOutcome = Result<RouteAnswer, Refusal>;

interface RouteBase {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In Hono's syntax. */
  readonly path: string;
  /** Set if the body is raw bytes up to the blob cap; otherwise JSON up to the general cap. */
  readonly rawBytes?: 'blob';
  /** Each call counts against its address like a failure, because its result uses a shared limit. */
  readonly scarce?: true;
}

/**
 * `signer` is the key that must sign the request; `open` routes need none, `optional` ones reveal more to a
 * signer.
 */
export type RelayRoute =
  | (RouteBase & {
      readonly signer: 'subkey' | 'device';
      handle(
        context: RelayContext,
        request: RelayRequest,
        caller: Caller,
      ): Promise<RouteOutcome> | RouteOutcome;
    })
  | (RouteBase & {
      readonly signer: 'open';
      handle(context: RelayContext, request: RelayRequest): Promise<RouteOutcome> | RouteOutcome;
    })
  | (RouteBase & {
      readonly signer: 'optional';
      handle(
        context: RelayContext,
        request: RelayRequest,
        caller: Caller | null,
      ): Promise<RouteOutcome> | RouteOutcome;
    });

export const answer = (body: RouteAnswer['body'], status = 200): RouteOutcome => ({
  ok: true,
  value: { status, body },
});

/** Comma-separated slugs of a query, without duplicates, at most `max`. */
export function slugList(query: URLSearchParams, max = 500): readonly string[] {
  const named = (query.get('slugs') ?? '').split(',').map((slug) => slug.trim());
  return [...new Set(named.filter((slug) => slug !== ''))].slice(0, max);
}

/** A bounded integer query parameter; the fallback if it is absent or invalid. */
export function wholeNumberParam(
  query: URLSearchParams,
  name: string,
  fallback: number,
  max: number,
): number {
  const text = query.get(name);
  if (text === null || !/^\d{1,15}$/.test(text)) return fallback;
  return Math.min(Number(text), max);
}
