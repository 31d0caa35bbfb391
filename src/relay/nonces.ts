/**
 * Replay protection (T5): a signed request or handshake is accepted once. Nonces are stored for twice the
 * clock window, so that a restart loses none that was followed by a write; those of plain reads are written
 * at the latest 200 ms later, and a repeated read reveals nothing new.
 */
import { requestWindowMs } from '../core/puffo/http-signing.ts';
import type { CommitQueue } from './commit-queue.ts';
import type { NonceRows } from './store-port.ts';

export class NonceStore {
  readonly #rows: NonceRows;
  readonly #queue: CommitQueue;
  /** Taken but not yet committed. */
  readonly #unwritten = new Set<string>();

  constructor(rows: NonceRows, queue: CommitQueue) {
    this.#rows = rows;
    this.#queue = queue;
  }

  /** True if `takeOnce` would fail; changes nothing. */
  wasTaken(slug: string, nonce: string): boolean {
    const key = `${slug} ${nonce}`;
    return this.#unwritten.has(key) || this.#rows.seen(key);
  }

  /**
   * True exactly once per slug and nonce. Call after the signature is verified, or others could consume
   * nonces.
   */
  takeOnce(slug: string, nonce: string, now: number): boolean {
    if (this.wasTaken(slug, nonce)) return false;
    const key = `${slug} ${nonce}`;
    this.#unwritten.add(key);
    this.#queue.later(
      () => this.#rows.remember(key, now + 2 * requestWindowMs),
      () => this.#unwritten.delete(key),
    );
    return true;
  }
}
