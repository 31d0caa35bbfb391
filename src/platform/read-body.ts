/**
 * Reads request bodies under a size cap, a deadline and a shared memory budget (T24, F12), which bound the
 * cost of endless, slow or many simultaneous bodies.
 */
import type { IncomingMessage } from 'node:http';

interface Timers {
  monotonic(): number;
  after(ms: number, run: () => void, options?: { readonly unref?: boolean }): { cancel(): void };
}

export interface RequestBodyLimits {
  readonly bytes: number;
  /** ms from now to the last byte. */
  readonly ms: number;
}

/** `busy`: the memory budget is used up. `gone`: the peer ended the request early. */
export type BodyProblem = 'too_large' | 'too_slow' | 'busy' | 'gone';

export type ReadBody =
  | { readonly ok: true; readonly value: Uint8Array }
  | { readonly ok: false; readonly problem: BodyProblem };

export interface BodyBudgetLimits {
  readonly bytes: number;
  /** Maximum share of one address. */
  readonly bytesPerAddress: number;
  /** A body that is still being read after this many ms may be cut in favour of others. */
  readonly slowMs: number;
}

interface Lease {
  readonly address: string;
  readonly since: number;
  bytes: number;
  /** Ends the read; `null` once the body is complete. */
  cut: (() => void) | null;
}

/** Counts the body bytes that all requests hold in memory. */
export class BodyBudget {
  readonly #limits: BodyBudgetLimits;
  readonly #timers: Timers;
  readonly #leases = new Set<Lease>();
  readonly #byAddress = new Map<string, number>();
  #bytes = 0;

  constructor(limits: BodyBudgetLimits, timers: Timers) {
    this.#limits = limits;
    this.#timers = timers;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The caller releases the lease when the request is answered. */
  open(address: string): BodyLease {
    const lease: Lease = { address, since: this.#timers.monotonic(), bytes: 0, cut: null };
    this.#leases.add(lease);
    return {
      onCut: (cut) => {
        lease.cut = cut;
      },
      take: (bytes) => this.#take(lease, bytes),
      release: () => {
        lease.cut = null;
        if (this.#leases.delete(lease)) this.#give(lease);
      },
    };
  }

  #take(lease: Lease, bytes: number): boolean {
    if (!this.#leases.has(lease)) return false;
    const own = () => (this.#byAddress.get(lease.address) ?? 0) + bytes <= this.#limits.bytesPerAddress;
    const all = () => this.#bytes + bytes <= this.#limits.bytes;
    if (!own()) this.#cutSlow(own, (other) => other !== lease && other.address === lease.address);
    if (!all()) this.#cutSlow(all, (other) => other !== lease);
    if (!own() || !all()) return false;
    lease.bytes += bytes;
    this.#bytes += bytes;
    this.#byAddress.set(lease.address, (this.#byAddress.get(lease.address) ?? 0) + bytes);
    return true;
  }

  /** Cuts slow reads, oldest first, until `fits`. */
  #cutSlow(fits: () => boolean, mayCut: (lease: Lease) => boolean): void {
    const before = this.#timers.monotonic() - this.#limits.slowMs;
    for (const lease of [...this.#leases]) {
      if (fits()) return;
      if (lease.since > before || lease.cut === null || !mayCut(lease)) continue;
      const { cut } = lease;
      this.#leases.delete(lease);
      this.#give(lease);
      cut();
    }
  }

  #give({ address, bytes }: Lease): void {
    this.#bytes -= bytes;
    const left = (this.#byAddress.get(address) ?? 0) - bytes;
    if (left > 0) this.#byAddress.set(address, left);
    else this.#byAddress.delete(address);
  }
}

export interface BodyLease {
  onCut(cut: (() => void) | null): void;
  /** False if the budget is used up. */
  take(bytes: number): boolean;
  release(): void;
}

export function readBody(
  incoming: IncomingMessage,
  limits: RequestBodyLimits,
  timers: Timers,
  lease?: BodyLease,
): Promise<ReadBody> {
  if (Number(incoming.headers['content-length'] ?? 0) > limits.bytes) {
    return Promise.resolve({ ok: false, problem: 'too_large' });
  }
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let size = 0;
    const done = (result: ReadBody): void => {
      deadline.cancel();
      lease?.onCut(null);
      incoming.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      if (!result.ok) {
        pieces.length = 0;
        incoming.pause();
      }
      resolve(result);
    };
    const fail = (problem: BodyProblem): void => done({ ok: false, problem });
    const onData = (piece: Buffer): void => {
      size += piece.length;
      if (size > limits.bytes) fail('too_large');
      else if (lease && !lease.take(piece.length)) fail('busy');
      else pieces.push(piece);
    };
    const onEnd = (): void =>
      done({ ok: true, value: pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces) });
    const onGone = (): void => fail('gone');
    const deadline = timers.after(limits.ms, () => fail('too_slow'), { unref: true });
    lease?.onCut(() => fail('busy'));
    incoming.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}
