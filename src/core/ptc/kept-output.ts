/** Keeps the beginning and the end of a long output. */

export class KeptOutput {
  readonly #half: number;
  #head = '';
  #tail = '';
  #total = 0;

  /** `limit`: characters that are kept. */
  constructor(limit: number) {
    this.#half = Math.floor(limit / 2);
  }

  add(text: string): void {
    this.#total += text.length;
    const room = this.#half - this.#head.length;
    this.#head += text.slice(0, room);
    if (text.length <= room) return;
    this.#tail += text.slice(Math.max(0, room));
    if (this.#tail.length > 4 * this.#half) this.#tail = this.#tail.slice(-this.#half);
  }

  get cut(): number {
    return Math.max(0, this.#total - this.#head.length - Math.min(this.#tail.length, this.#half));
  }

  get text(): string {
    const tail = this.#tail.slice(-this.#half);
    return this.cut === 0 ? this.#head + tail : `${this.#head}\n… ${this.cut} characters left out …\n${tail}`;
  }
}
