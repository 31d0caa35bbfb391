/**
 * Parses the JSON object of a tool call while its text streams in: linear time for any chunk size, a partial
 * value at any moment, and a strict check at the end. Broken text never becomes arguments.
 */
import { errorText } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { repairJson } from './repair-json.ts';

type Fields = Record<string, unknown>;

interface Frame {
  readonly list: unknown[] | null;
  readonly fields: Fields;
  key: string;
}

/** Parser state: the element that the next character belongs to. */
type Expect =
  | 'value'
  | 'first_item'
  | 'first_key'
  | 'key'
  | 'colon'
  | 'comma'
  | 'string'
  | 'escape'
  | 'unicode'
  | 'word'
  | 'end'
  | 'broken';

/** Deeper arguments are refused, because later code is recursive. */
const maxDepth = 128;

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

const isSpace = (char: string): boolean => char === ' ' || char === '\n' || char === '\t' || char === '\r';
const endsWord = (char: string): boolean => isSpace(char) || char === ',' || char === '}' || char === ']';

/** `__proto__` becomes an ordinary property, as in `JSON.parse` (T26). */
function define(fields: Fields, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(fields, key, { value, writable: true, enumerable: true, configurable: true });
  } else fields[key] = value;
}

export class PartialJson {
  #text = '';
  #expect: Expect = 'value';
  #tooDeep = false;
  readonly #stack: Frame[] = [];
  #root: unknown;
  /** String, key, number or word being read. */
  #held = '';
  #inKey = false;
  #hex = '';

  push(delta: string): void {
    this.#text += delta;
    let at = 0;
    while (at < delta.length && this.#expect !== 'broken') at = this.#step(delta, at);
  }

  /**
   * The object so far: always the same instance, which keeps growing. Strings are visible while they grow,
   * numbers and words once complete.
   */
  value(): Readonly<Fields> {
    if (this.#inString() && !this.#inKey && this.#stack.length > 0) this.#replace(this.#held);
    const root = this.#root;
    return typeof root === 'object' && root !== null && !Array.isArray(root) ? (root as Fields) : {};
  }

  /**
   * Parses the whole text strictly, after repairing raw control characters and unknown escapes in strings.
   * Empty text means no arguments. The error is a sentence for the model.
   */
  finish(): Result<Readonly<Fields>, string> {
    if (this.#tooDeep) return err(`The arguments are nested deeper than ${maxDepth} levels.`);
    if (this.#text.trim() === '') return ok({});
    const parsed = parseJson(this.#text);
    if (!parsed.ok) return parsed;
    const { value } = parsed;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return err('The arguments are not a JSON object.');
    }
    return ok(value as Fields);
  }

  #inString(): boolean {
    return this.#expect === 'string' || this.#expect === 'escape' || this.#expect === 'unicode';
  }

  #step(text: string, at: number): number {
    switch (this.#expect) {
      case 'string':
        return this.#string(text, at);
      case 'escape':
        return this.#escape(text, at);
      case 'unicode':
        return this.#unicode(text, at);
      case 'word':
        return this.#word(text, at);
      default:
        if (!isSpace(text[at] ?? '')) this.#structure(text[at] ?? '');
        return at + 1;
    }
  }

  #structure(char: string): void {
    const top = this.#stack.at(-1);
    switch (this.#expect) {
      case 'first_item':
        if (char === ']') this.#close();
        else this.#begin(char);
        return;
      case 'value':
        this.#begin(char);
        return;
      case 'first_key':
      case 'key':
        if (char === '"') this.#openString(true);
        else if (char === '}' && this.#expect === 'first_key') this.#close();
        else this.#expect = 'broken';
        return;
      case 'colon':
        this.#expect = char === ':' ? 'value' : 'broken';
        return;
      case 'comma':
        if (char === ',') this.#expect = top?.list ? 'value' : 'key';
        else if (char === (top?.list ? ']' : '}')) this.#close();
        else this.#expect = 'broken';
        return;
      default:
        this.#expect = 'broken';
    }
  }

  #begin(char: string): void {
    if (char === '{' || char === '[') this.#open(char === '[' ? [] : null);
    else if (char === '"') this.#openString(false);
    else if (endsWord(char) || char === ':') this.#expect = 'broken';
    else {
      this.#held = char;
      this.#expect = 'word';
    }
  }

  #open(list: unknown[] | null): void {
    const fields: Fields = {};
    this.#add(list ?? fields);
    this.#stack.push({ list, fields, key: '' });
    this.#expect = list ? 'first_item' : 'first_key';
    if (this.#stack.length > maxDepth) {
      this.#tooDeep = true;
      this.#expect = 'broken';
    }
  }

  #close(): void {
    this.#stack.pop();
    this.#expect = this.#stack.length === 0 ? 'end' : 'comma';
  }

  #openString(inKey: boolean): void {
    this.#held = '';
    this.#inKey = inKey;
    this.#expect = 'string';
    if (!inKey) this.#add('');
  }

  #string(text: string, at: number): number {
    let end = at;
    while (end < text.length) {
      const code = text.charCodeAt(end);
      if (code === 0x22 || code === 0x5c) break;
      end += 1;
    }
    if (end > at) this.#held += text.slice(at, end);
    if (end === text.length) return end;
    if (text[end] === '\\') this.#expect = 'escape';
    else this.#endString();
    return end + 1;
  }

  #endString(): void {
    const top = this.#stack.at(-1);
    if (this.#inKey && top) {
      top.key = this.#held;
      this.#expect = 'colon';
      return;
    }
    if (top) this.#replace(this.#held);
    else this.#root = this.#held;
    this.#expect = top ? 'comma' : 'end';
  }

  #escape(text: string, at: number): number {
    const char = text[at] ?? '';
    if (char === 'u') {
      this.#hex = '';
      this.#expect = 'unicode';
      return at + 1;
    }
    const meant = Object.hasOwn(escapes, char) ? escapes[char] : undefined;
    this.#expect = 'string';
    this.#held += meant ?? '\\';
    return meant === undefined ? at : at + 1;
  }

  #unicode(text: string, at: number): number {
    const char = text[at] ?? '';
    if (!/[\da-fA-F]/.test(char)) {
      this.#held += `\\u${this.#hex}`;
      this.#expect = 'string';
      return at;
    }
    this.#hex += char;
    if (this.#hex.length === 4) {
      this.#held += String.fromCharCode(Number.parseInt(this.#hex, 16));
      this.#expect = 'string';
    }
    return at + 1;
  }

  #word(text: string, at: number): number {
    let end = at;
    while (end < text.length && !endsWord(text[end] ?? '')) end += 1;
    this.#held += text.slice(at, end);
    if (end === text.length) return end;
    const parsed = parseStrictly(this.#held);
    if (!parsed.ok) {
      this.#expect = 'broken';
      return end;
    }
    this.#add(parsed.value);
    this.#expect = this.#stack.length === 0 ? 'end' : 'comma';
    return end;
  }

  #add(value: unknown): void {
    const top = this.#stack.at(-1);
    if (!top) this.#root = value;
    else if (top.list) top.list.push(value);
    else define(top.fields, top.key, value);
  }

  /** Requires a value that `#add` has stored before. */
  #replace(value: unknown): void {
    const top = this.#stack.at(-1);
    if (top?.list) top.list[top.list.length - 1] = value;
    else if (top) define(top.fields, top.key, value);
  }
}

function parseStrictly(text: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(text) as unknown);
  } catch (error) {
    return err(errorText(error));
  }
}

function parseJson(text: string): Result<unknown, string> {
  const strict = parseStrictly(text);
  if (strict.ok) return strict;
  const repaired = parseStrictly(repairJson(text));
  return repaired.ok ? repaired : err(`The arguments are not valid JSON: ${strict.error}`);
}
