/**
 * WebSockets that have not authenticated yet (T24). If an address or the whole relay has too many, the oldest
 * silent socket is closed, so that silent sockets never lock out a client that authenticates at once.
 */
import { isLoopback } from '../platform/http-guards.ts';

interface Stranger {
  /** True once its connect frame was accepted. */
  readonly online: boolean;
  terminate(): void;
}

export class StrangerSockets<T extends Stranger> {
  /** Oldest first. */
  readonly #address = new Map<T, string>();
  readonly #byAddress = new Map<string, Set<T>>();
  readonly #max: number;
  readonly #maxPerAddress: number;

  constructor(max: number, maxPerAddress: number) {
    this.#max = max;
    this.#maxPerAddress = maxPerAddress;
  }

  get size(): number {
    return this.#address.size;
  }

  has(socket: T): boolean {
    return this.#address.has(socket);
  }

  all(): readonly T[] {
    return [...this.#address.keys()];
  }

  add(socket: T, address: string): void {
    const own = this.#byAddress.get(address) ?? new Set<T>();
    // Every client of this machine shares one loopback address.
    if (!isLoopback(address) && own.size >= this.#maxPerAddress) this.#evictOldest(own);
    if (this.#address.size >= this.#max) this.#evictOldest(this.#address.keys());
    this.#address.set(socket, address);
    this.#byAddress.set(address, own.add(socket));
  }

  delete(socket: T): void {
    const address = this.#address.get(socket);
    if (address === undefined) return;
    this.#address.delete(socket);
    const own = this.#byAddress.get(address);
    own?.delete(socket);
    if (own?.size === 0) this.#byAddress.delete(address);
  }

  #evictOldest(sockets: Iterable<T>): void {
    for (const socket of sockets) {
      if (socket.online) continue;
      this.delete(socket);
      socket.terminate();
      return;
    }
  }
}
