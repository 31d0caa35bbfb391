/** A bounded cache of values derived from public keys; evicts the oldest half when full. */
export class Recent<T> {
  readonly #limit: number;
  #young = new Map<string, T>();
  #old = new Map<string, T>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: Uint8Array, make: () => T): T {
    const name = String.fromCharCode(...key);
    const young = this.#young.get(name);
    if (young !== undefined) return young;
    const value = this.#old.get(name) ?? make();
    if (this.#young.size >= this.#limit / 2) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(name, value);
    return value;
  }
}
