/**
 * Who may talk to the loopback web server (T1, T2): only requests that name this very address as their host, only a
 * browser that once held a one-time link, and for the WebSocket only a page of our own origin.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../core/ports.ts';

/** A link nobody followed goes stale after this: ms. */
const linkLifeMs = 10 * 60_000;
const maxLinks = 20;
const maxSessions = 50;

export interface WebGuard {
  /** Exactly this address with this port, in one of its three spellings. */
  hostAllowed(host: string | undefined): boolean;
  /** The origin of our own page as this very client reached it; absent is refused. */
  originAllowed(origin: string | undefined, host: string | undefined): boolean;
  newLink(): string;
  /** A session for a link's token, once; null for anything else. */
  redeem(token: string): string | null;
  hasSession(cookieHeader: string | undefined): boolean;
  setCookie(session: string): string;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const newToken = (): string => randomBytes(32).toString('base64url');

/** Compares digests, so that neither length nor content shows in the time. */
function findDigest(digests: Iterable<Buffer>, text: string): Buffer | null {
  const wanted = digest(text);
  let found: Buffer | null = null;
  for (const candidate of digests) if (timingSafeEqual(candidate, wanted)) found = candidate;
  return found;
}

function dropOldest<K>(
  map: { size: number; keys(): Iterator<K>; delete(key: K): boolean },
  max: number,
): void {
  while (map.size >= max) {
    const first = map.keys().next();
    if (first.done) return;
    map.delete(first.value);
  }
}

export function createWebGuard(port: number, clock: Clock): WebGuard {
  const hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]);
  const links = new Map<Buffer, number>();
  const sessions = new Set<Buffer>();
  // Cookies of 127.0.0.1 are shared by all its ports, so the name carries ours.
  const cookieName = `kennel_${port}`;

  return {
    hostAllowed: (host) => host !== undefined && hosts.has(host),
    originAllowed: (origin, host) =>
      origin !== undefined && host !== undefined && origin === `http://${host}`,
    newLink() {
      const token = newToken();
      dropOldest(links, maxLinks);
      links.set(digest(token), clock.monotonic() + linkLifeMs);
      return `http://127.0.0.1:${port}/?token=${token}`;
    },
    redeem(token) {
      const link = findDigest(links.keys(), token);
      if (!link) return null;
      const validUntil = links.get(link) ?? 0;
      links.delete(link);
      if (clock.monotonic() > validUntil) return null;
      const session = newToken();
      dropOldest(sessions, maxSessions);
      sessions.add(digest(session));
      return session;
    },
    hasSession(cookieHeader) {
      for (const part of (cookieHeader ?? '').split(';')) {
        const [name, value] = part.trim().split('=', 2);
        if (name === cookieName && value && findDigest(sessions, value)) return true;
      }
      return false;
    },
    setCookie: (session) => `${cookieName}=${session}; HttpOnly; SameSite=Strict; Path=/`,
  };
}
