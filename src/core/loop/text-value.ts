/**
 * Parses argument values of a call written as text: quoted strings, numbers, words, lists, objects, and bare
 * text up to the next comma. Each character costs budget, so hostile text costs no more than its length.
 */

const maxDepth = 32;

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  '"': '"',
  "'": "'",
};

const words: Readonly<Record<string, unknown>> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
};

const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const neverBare = '\n"\'';
const quoteMarks = ['"""', "'''", '"', "'"];
const namePattern = /[A-Za-z_][\w-]*/y;
const spacePattern = /\s*/y;

export interface Found {
  readonly value: unknown;
}

export class TextReader {
  readonly #text: string;
  #budget: number;
  at: number;

  constructor(text: string, at: number, budget: number) {
    this.#text = text;
    this.at = at;
    this.#budget = budget;
  }

  get budget(): number {
    return this.#budget;
  }

  take(mark: string): boolean {
    if (!this.#text.startsWith(mark, this.at)) return false;
    this.#advance(mark.length);
    return true;
  }

  space(): void {
    this.#match(spacePattern);
  }

  name(): string | null {
    return this.#match(namePattern);
  }

  value(depth = 0): Found | null {
    if (depth > maxDepth || this.#budget <= 0) return null;
    const mark = quoteMarks.find((each) => this.#text.startsWith(each, this.at));
    if (mark) return this.#quoted(mark);
    if (this.take('[')) return this.#list(depth);
    if (this.take('{')) return this.#object(depth);
    return this.#bare(depth > 0);
  }

  #advance(count: number): void {
    this.at += count;
    this.#budget -= count;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found) this.#advance(found.length);
    return found;
  }

  #quoted(mark: string): Found | null {
    this.#advance(mark.length);
    let value = '';
    while (this.at < this.#text.length && this.#budget > 0) {
      if (this.take(mark)) return { value };
      const char = this.#text[this.at] ?? '';
      this.#advance(1);
      value += char === '\\' ? this.#escaped() : char;
    }
    return null;
  }

  /** Unknown escapes stay as written, because paths and patterns contain many. */
  #escaped(): string {
    const char = this.#text[this.at] ?? '';
    const hex = char === 'u' ? this.#text.slice(this.at + 1, this.at + 5) : '';
    if (/^[\da-fA-F]{4}$/.test(hex)) {
      this.#advance(5);
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    if (!Object.hasOwn(escapes, char)) return '\\';
    this.#advance(1);
    return escapes[char] ?? '';
  }

  #list(depth: number): Found | null {
    const list: unknown[] = [];
    for (;;) {
      this.space();
      if (this.take(']')) return { value: list };
      const item = this.value(depth + 1);
      if (!item) return null;
      list.push(item.value);
      this.space();
      if (!this.take(',') && !this.#text.startsWith(']', this.at)) return null;
    }
  }

  #object(depth: number): Found | null {
    const fields: Record<string, unknown> = {};
    for (;;) {
      this.space();
      if (this.take('}')) return { value: fields };
      const mark = quoteMarks.find((each) => this.#text.startsWith(each, this.at));
      const key = mark ? this.#quoted(mark)?.value : this.name();
      this.space();
      if (typeof key !== 'string' || !(this.take(':') || this.take('='))) return null;
      this.space();
      const member = this.value(depth + 1);
      if (!member) return null;
      if (key !== '__proto__') fields[key] = member.value;
      this.space();
      if (!this.take(',') && !this.#text.startsWith('}', this.at)) return null;
    }
  }

  /** Reads one line up to a comma or an unmatched closing bracket. */
  #bare(nested: boolean): Found | null {
    const from = this.at;
    const ends = nested ? ',)]}' : ',)';
    let open = 0;
    while (this.at < this.#text.length && this.#budget > 0) {
      const char = this.#text[this.at] ?? '';
      if (neverBare.includes(char) || (open === 0 && ends.includes(char))) break;
      open += Number('([{'.includes(char)) - Number(')]}'.includes(char));
      this.#advance(1);
    }
    const text = this.#text.slice(from, this.at).trim();
    if (text === '' || open !== 0) return null;
    if (Object.hasOwn(words, text)) return { value: words[text] };
    return { value: number.test(text) ? Number(text) : text };
  }
}
