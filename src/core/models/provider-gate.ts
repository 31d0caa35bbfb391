/**
 * One gate per key or login of a model server, shared by all agents that use it: while the server requests a
 * wait, no agent sends a request; afterwards one request probes while the others wait (F11). Long waits, such
 * as the limit of a plan, last over a restart of the host.
 */

import type { AppError } from '../../contract/errors.ts';
import { type BackoffPolicy, backoffMs } from '../lib/backoff.ts';
import type { Clock, Random } from '../ports.ts';
import type { ModelChoice } from './choose-model.ts';
import type { ModelFailure } from './model-ports.ts';

export interface ProviderGate {
  /** 0 to proceed and report the result; otherwise ms to wait before asking again. */
  enter(server: string): number;
  succeeded(server: string): void;
  /** Why the gate is closed: the last failure, or `null` if the server asked for a pause. */
  reason(server: string): AppError | null;
  /** `retryAfterMs` as the server requested; without it, the gate closes only after repeated failures. */
  failed(server: string, retryAfterMs: number | undefined, error: AppError): void;
  /** The request was not sent or was stopped: the next waiting agent may probe. */
  abandoned(server: string): void;
  /** The account accepts no request until then (ms since the epoch). */
  pause(server: string, untilMs: number): void;
  /** ms since the epoch until when a long wait lasts; `null` if none. Does not count as a request. */
  pausedUntil(server: string): number | null;
}

/** ms; who waits longer for a server gives its turn slot and its process back. */
export const longPauseMs = 60_000;

/** Long waits by account, kept over restarts of the host. */
export interface PauseStore {
  /** ms since the epoch; `null` if the account has no wait. */
  until(account: string): number | null;
  set(account: string, untilMs: number): void;
}

const createPauseStore = (): PauseStore => {
  const pauses = new Map<string, number>();
  return {
    until: (account) => pauses.get(account) ?? null,
    set: (account, untilMs) => void pauses.set(account, untilMs),
  };
};

/**
 * The account that pays for requests: a key or a login at a server. Contains the key, so it must not be stored or
 * shown; its first word is the provider.
 */
export const serverOf = ({ provider, baseUrl, apiKey, auth }: AccountFacts): string =>
  `${provider} ${baseUrl} ${auth === 'oauth' ? 'login' : (apiKey ?? '')}`;

type AccountFacts = Pick<ModelChoice, 'provider' | 'baseUrl' | 'apiKey' | 'auth'>;

/** The account of a program that uses its own login. */
export const loginAccount = (program: string): string => `${program} login`;

/**
 * Reports the result of a request to all agents of the server; `failure`: `null` on success. Scripted replies
 * need no gate.
 */
export function tellGate(gate: ProviderGate, choice: ModelChoice, failure: ModelFailure | null): void {
  if (choice.scripted) return;
  const server = serverOf(choice);
  if (failure?.error.code === 'cancelled') gate.abandoned(server);
  else if (failure?.retryable) gate.failed(server, failure.retryAfterMs, failure.error);
  else gate.succeeded(server);
}

interface Door {
  failures: number;
  closedUntil: number;
  /** While a probe runs, other requests wait at most until then. */
  probeUntil: number;
  reason: AppError | null;
}

const policy: BackoffPolicy = { firstMs: 2_000, maxMs: 60_000 };
const failuresToClose = 3;
const probeMs = 30_000;
const waitForProbeMs = 500;

export interface ProviderGateDeps {
  readonly clock: Clock;
  readonly random: Random;
  /** Absent: long waits end with the process. */
  readonly pauses?: PauseStore;
}

export function createProviderGate(deps: ProviderGateDeps): ProviderGate {
  const doors = new Map<string, Door>();
  const { pauses = createPauseStore() } = deps;
  const pausedMs = (server: string): number => Math.max(0, (pauses.until(server) ?? 0) - deps.clock.now());
  return {
    pause: (server, untilMs) => pauses.set(server, untilMs),
    pausedUntil: (server) => (pausedMs(server) > 0 ? pauses.until(server) : null),
    enter(server) {
      const longMs = pausedMs(server);
      if (longMs > 0) return longMs;
      const door = doors.get(server);
      if (!door || door.closedUntil === 0) return 0;
      const now = deps.clock.monotonic();
      if (now < door.closedUntil) return door.closedUntil - now;
      if (now < door.probeUntil) return waitForProbeMs;
      door.probeUntil = now + probeMs;
      return 0;
    },
    succeeded(server) {
      const door = doors.get(server);
      // The request was sent before the gate closed, so its success does not reopen the gate.
      if (door && (pausedMs(server) > 0 || deps.clock.monotonic() < door.closedUntil)) return;
      doors.delete(server);
    },
    abandoned(server) {
      const door = doors.get(server);
      if (door) door.probeUntil = 0;
    },
    reason: (server) => doors.get(server)?.reason ?? null,
    failed(server, retryAfterMs, error) {
      const door = doors.get(server) ?? { failures: 0, closedUntil: 0, probeUntil: 0, reason: null };
      door.reason = retryAfterMs === undefined ? error : null;
      door.failures += 1;
      door.probeUntil = 0;
      const own =
        door.failures >= failuresToClose
          ? backoffMs(policy, door.failures - failuresToClose, deps.random.fraction())
          : 0;
      const wait = Math.max(retryAfterMs ?? 0, own);
      const isLong = wait > longPauseMs;
      if (isLong) pauses.set(server, deps.clock.now() + wait);
      // After a long wait, too, one request probes first.
      if (wait > 0)
        door.closedUntil = Math.max(door.closedUntil, deps.clock.monotonic() + (isLong ? 1 : wait));
      doors.set(server, door);
    },
  };
}
