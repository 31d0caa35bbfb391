/**
 * Sessions of browsers (T1, T4): a one-time link becomes a session once; a session ends by itself, by a sign-out, or with
 * the host. Only digests are kept, and only in memory.
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

export interface WebSessions {
  /** The token of a new one-time link. */
  newLink(): string;
  /** The secret of a new session for a link's token, once. */
  redeem(token: string): string | null;
  find(secret: string): WebSession | null;
  endAll(): void;
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

export function createWebSessions(clock: Clock): WebSessions {
  const links = new Map<Buffer, number>();
  const sessions = new Map<Buffer, WebSession>();

  const open = (key: Buffer): WebSession => {
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
        sessions.delete(key);
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
  };

  return {
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
      sessions.set(key, open(key));
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
      for (const session of [...sessions.values()]) session.end();
    },
  };
}
