/**
 * Nonces of signed requests, kept over restarts (T5): an accepted request is never accepted again, neither
 * from another sender nor after a change of the clock (T29).
 */
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { requestWindowMs } from '../../core/puffo/http-signing.ts';
import { systemErrorCode } from '../../platform/system-error.ts';

export interface NonceBook {
  /** False if nonces of that time may have been dropped. */
  remembers(timestamp: number): boolean;
  used(signer: string, nonce: string): boolean;
  /** Durable when it returns. Throws `io_error`s: a request whose nonce cannot be stored is not served. */
  use(signer: string, nonce: string, timestamp: number, now: number): void;
}

/** Appended lines before the file is rewritten. */
const rewriteAfter = 2_000;
const line = (key: string, timestamp: number): string => `${timestamp} ${key}\n`;

interface Book {
  /** Maps signer and nonce to the request's timestamp. */
  readonly known: Map<string, number>;
  /** Requests with this timestamp, or an older one, are not remembered. */
  floor: number;
  /** Lines appended since the last rewrite. */
  appended: number;
}

function rewrite(path: string, book: Book): void {
  const kept = [...book.known].map(([key, time]) => line(key, time));
  const floor = Number.isFinite(book.floor) ? [line('-', Math.max(0, book.floor))] : [];
  writeFileSync(`${path}.tmp`, [...floor, ...kept].join(''), { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
  book.appended = 0;
}

/**
 * The last line may be torn: its request was never answered. It is dropped, so that the next line is not
 * joined to it.
 */
function load(path: string): Book {
  const book: Book = { known: new Map(), floor: Number.NEGATIVE_INFINITY, appended: 0 };
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return book;
    throw error;
  }
  for (const [, time = '', key = ''] of content.matchAll(/^(\d+) (.+)\n/gm)) {
    book.appended += 1;
    if (key === '-') book.floor = Math.max(book.floor, Number(time));
    else book.known.set(key, Number(time));
  }
  if (!content.endsWith('\n')) rewrite(path, book);
  return book;
}

/** Drops expired nonces and advances the floor. */
function forget(book: Book, now: number): void {
  const old = now - requestWindowMs - 1;
  if (old <= book.floor) return;
  for (const [key, time] of book.known) if (time <= old) book.known.delete(key);
  book.floor = old;
}

/** `path` is read at the first request. */
export function createNonceBook(path: string): NonceBook {
  let loaded: Book | null = null;
  const book = (): Book => {
    loaded ??= load(path);
    return loaded;
  };
  const keyOf = (signer: string, nonce: string): string => JSON.stringify([signer, nonce]);
  return {
    remembers: (timestamp) => timestamp > book().floor,
    used: (signer, nonce) => book().known.has(keyOf(signer, nonce)),
    use(signer, nonce, timestamp, now) {
      const current = book();
      const key = keyOf(signer, nonce);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      appendFileSync(path, line(key, timestamp), { mode: 0o600 });
      current.known.set(key, timestamp);
      current.appended += 1;
      if (current.appended < rewriteAfter) return;
      forget(current, now);
      rewrite(path, current);
    },
  };
}
