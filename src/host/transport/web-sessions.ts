/**
 * Sessions of browsers (T1, T4): a one-time link becomes a session once; a session ends by itself, by a sign-out, or with
 * the host. A lock keeps the sessions and closes their connections; nothing is answered until the owner unlocks. Only
 * digests are kept, and only in memory.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock, Timer } from '../../core/ports.ts';

/** A link that nobody followed expires after this: ms. */
const linkLifeMs = 10 * 60_000;
/** A session that nobody used expires after this: ms. */
export const idleLimitMs = 12 * 3_600_000;
/** Every session expires after this, used or not: ms. */
export const sessionLifeMs = 7 * 24 * 3_600_000;
/** How often a session is looked at: a timer does not run while the computer sleeps. */
const checkMs = 60_000;
const maxLinks = 20;
const maxSessions = 50;

/** One browser's session. */
export interface WebSession {
  /** A person used the page. */
  used(): void;
  isOver(): boolean;
  end(): void;
  /** Runs `close` when the session ends; returns how to take that back. */
  onEnd(close: () => void): () => void;
}

/** What all sessions share: whether the page is locked. */
interface PageLock {
  isLocked(): boolean;
  /** Runs at the next change, once; returns how to take that back. */
  onLockChange(run: () => void): () => void;
}

export interface WebSessions extends PageLock {
  /** The token of a new one-time link. */
  newLink(): string;
  /** The secret of a new session for a link's token, once. */
  redeem(token: string): string | null;
  find(secret: string): WebSession | null;
  /** Also ends the links that nobody opened. Returns how many sessions ended. */
  endAll(): number;
  /** Also ends the links that nobody opened. Returns how many sessions are locked. */
  lock(): number;
  /** False if the page was not locked. */
  unlock(): boolean;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const newSecret = (): string => randomBytes(32).toString('base64url');

/** Compares digests, so that neither length nor content shows in the time. */
function findDigest(digests: Iterable<Buffer>, text: string): Buffer | null {
  const wanted = digest(text);
  let found: Buffer | null = null;
  for (const candidate of digests) if (timingSafeEqual(candidate, wanted)) found = candidate;
  return found;
}

/** Drops the oldest entries until one more fits. */
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

/** `onEnd` runs first when the session ends. */
function openWebSession(clock: Clock, onEnd: () => void): WebSession {
  const closers = new Set<() => void>();
  // The wall clock: time in which the computer slept counts.
  const expiresAt = clock.now() + sessionLifeMs;
  let usedAt = clock.now();
  const limit = (): number => Math.min(expiresAt, usedAt + idleLimitMs);
  let timer: Timer | null = null;
  const session: WebSession = {
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
      links.set(digest(token), clock.monotonic() + linkLifeMs);
      return token;
    },
    redeem(token) {
      const link = findDigest(links.keys(), token);
      if (!link) return null;
      const validUntil = links.get(link) ?? 0;
      links.delete(link);
      if (clock.monotonic() > validUntil) return null;
      const secret = newSecret();
      const key = digest(secret);
      makeRoom(sessions, maxSessions, (session) => session.end());
      const session = openWebSession(clock, () => sessions.delete(key));
      sessions.set(key, session);
      return secret;
    },
    find(secret) {
      const key = findDigest(sessions.keys(), secret);
      const session = key === null ? undefined : sessions.get(key);
      if (session?.isOver()) session.end();
      else return session ?? null;
      return null;
    },
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
