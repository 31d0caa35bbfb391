/**
 * Browser sessions (T1, T4). A one-time link creates one session; a session ends by expiry, sign-out or when
 * the host stops. A lock keeps the sessions, closes their connections and answers nothing until the owner
 * unlocks. Only digests are kept, and only in memory.
 */
import { randomBytes } from 'node:crypto';
import type { Clock, Timer } from '../../core/ports.ts';
import { findBySecret, secretDigest } from '../../platform/same-secret.ts';

/** ms until an unused link expires. */
const linkLifeMs = 10 * 60_000;
/** ms without use until a session expires. */
export const idleLimitMs = 12 * 3_600_000;
/** ms until every session expires. */
export const sessionLifeMs = 7 * 24 * 3_600_000;
/** ms between expiry checks: timers do not run while the computer sleeps. */
const checkMs = 60_000;
const maxLinks = 20;
const maxSessions = 50;

export interface WebSession {
  /** Names the session in lists; opens nothing. */
  readonly id: string;
  readonly since: number;
  usedAt(): number;
  /** Open connections. */
  pages(): number;
  /** Call it when a person used the page. */
  used(): void;
  isOver(): boolean;
  end(): void;
  /** Runs `close` when the session ends; returns a function that unregisters it. */
  onEnd(close: () => void): () => void;
}

/** Lock state shared by all sessions. */
interface PageLock {
  isLocked(): boolean;
  /** Runs once at the next change; returns a function that unregisters it. */
  onLockChange(run: () => void): () => void;
}

export interface WebSessions extends PageLock {
  /** Token of a new one-time link. */
  newLink(): string;
  /** Exchanges a link's token for the secret of a new session, once. */
  redeem(token: string): string | null;
  find(secret: string): WebSession | null;
  list(): readonly WebSession[];
  /** Also invalidates unused links. Returns the number of ended sessions. */
  endAll(): number;
  /** Also invalidates unused links. Returns the number of locked sessions. */
  lock(): number;
  /** Returns false if the page was not locked. */
  unlock(): boolean;
}

const newSecret = (): string => randomBytes(32).toString('base64url');

/** Drops the oldest entries until another one fits. */
function makeRoom<V>(map: Map<Buffer, V>, max: number, drop: (value: V) => void): void {
  for (const [key, value] of map) {
    if (map.size < max) return;
    map.delete(key);
    drop(value);
  }
}

function createPageLock() {
  let locked = false;
  const waiting = new Set<() => void>();
  return {
    isLocked: () => locked,
    onLockChange(run: () => void) {
      waiting.add(run);
      return () => waiting.delete(run);
    },
    set(value: boolean): void {
      if (locked === value) return;
      locked = value;
      const told = [...waiting];
      waiting.clear();
      for (const run of told) run();
    },
  };
}

/** `onEnd` runs before the other callbacks. */
function openWebSession(clock: Clock, onEnd: () => void): WebSession {
  const closers = new Set<() => void>();
  // Wall clock: time asleep counts.
  const expiresAt = clock.now() + sessionLifeMs;
  let usedAt = clock.now();
  const limit = (): number => Math.min(expiresAt, usedAt + idleLimitMs);
  let timer: Timer | null = null;
  const session: WebSession = {
    id: randomBytes(9).toString('base64url'),
    since: clock.now(),
    usedAt: () => usedAt,
    pages: () => closers.size,
    isOver: () => clock.now() >= limit(),
    used() {
      usedAt = clock.now();
    },
    end() {
      timer?.cancel();
      onEnd();
      for (const close of [...closers]) close();
    },
    onEnd(close) {
      closers.add(close);
      return () => closers.delete(close);
    },
  };
  const watch = (): void => {
    if (session.isOver()) session.end();
    else timer = clock.after(Math.min(limit() - clock.now(), checkMs), watch, { unref: true });
  };
  watch();
  return session;
}

export function createWebSessions(clock: Clock): WebSessions {
  const pageLock = createPageLock();
  const links = new Map<Buffer, number>();
  const sessions = new Map<Buffer, WebSession>();

  return {
    isLocked: pageLock.isLocked,
    onLockChange: pageLock.onLockChange,
    newLink() {
      const token = newSecret();
      makeRoom(links, maxLinks, () => undefined);
      links.set(secretDigest(token), clock.monotonic() + linkLifeMs);
      return token;
    },
    redeem(token) {
      const link = findBySecret(links.keys(), (digest) => digest, token);
      if (!link) return null;
      const validUntil = links.get(link) ?? 0;
      links.delete(link);
      if (clock.monotonic() > validUntil) return null;
      const secret = newSecret();
      const key = secretDigest(secret);
      makeRoom(sessions, maxSessions, (session) => session.end());
      const session = openWebSession(clock, () => sessions.delete(key));
      sessions.set(key, session);
      return secret;
    },
    find(secret) {
      const key = findBySecret(sessions.keys(), (digest) => digest, secret);
      const session = key === null ? undefined : sessions.get(key);
      if (session?.isOver()) session.end();
      else return session ?? null;
      return null;
    },
    list: () => [...sessions.values()].filter((session) => !session.isOver()),
    endAll() {
      links.clear();
      const open = [...sessions.values()];
      for (const session of open) session.end();
      return open.length;
    },
    lock() {
      links.clear();
      pageLock.set(true);
      return sessions.size;
    },
    unlock() {
      const wasLocked = pageLock.isLocked();
      pageLock.set(false);
      return wasLocked;
    },
  };
}
