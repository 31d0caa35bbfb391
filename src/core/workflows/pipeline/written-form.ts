/**
 * JSON that stands already as Kennel writes it: reading it and writing it again would give the very same text. Told by
 * looking through the text once, so that a large one can be handed on without ever becoming a value. In doubt the answer is no.
 */

const no = -1;
/** Deeper than this nobody hands it on. */
const deepest = 512;

const blanks: ReadonlySet<string> = new Set([' ', '\t', '\n', '\r']);
const escapes: ReadonlySet<string> = new Set(['"', '\\', 'b', 'f', 'n', 'r', 't']);
const scalar = /true|false|null|-?\d[\d.e+-]*/y;
const words: ReadonlySet<string> = new Set(['true', 'false', 'null']);

/** What ends a text, or is not always written as itself: control characters, halves of characters. */
const special = /["\\\p{Cc}\p{Cs}]/gu;

/** Behind the quote that ends the text which begins here. */
function textEnd(json: string, start: number): number {
  if (json[start] !== '"') return no;
  special.lastIndex = start + 1;
  while (special.test(json)) {
    const at = special.lastIndex;
    const found = json[at - 1];
    if (found === '"') return at;
    if (found !== '\\' || !escapes.has(json[at] ?? '')) return no;
    special.lastIndex = at + 1;
  }
  return no;
}

function scalarEnd(json: string, start: number): number {
  scalar.lastIndex = start;
  const [found = ''] = scalar.exec(json) ?? [];
  return words.has(found) || String(Number(found)) === found ? start + found.length : no;
}

function listEnd(json: string, start: number, depth: number): number {
  if (json[start + 1] === ']') return start + 2;
  for (let at = start; ; ) {
    at = valueEnd(json, at + 1, depth);
    if (at === no || json[at] === ']') return at === no ? no : at + 1;
    if (json[at] !== ',') return no;
  }
}

/** Of two fields of one name the last one counts, and names that are numbers come first: written again, it would be another text. */
function recordEnd(json: string, start: number, depth: number): number {
  if (json[start + 1] === '}') return start + 2;
  const names = new Set<string>();
  for (let at = start; ; ) {
    const from = at + 1;
    at = textEnd(json, from);
    if (at === no || json[at] !== ':' || /\d/.test(json[from + 1] ?? '')) return no;
    if (names.size === names.add(json.slice(from, at)).size) return no;
    at = valueEnd(json, at + 1, depth);
    if (at === no || json[at] === '}') return at === no ? no : at + 1;
    if (json[at] !== ',') return no;
  }
}

/** Behind the value that begins here, or `no`. */
function valueEnd(json: string, start: number, depth: number): number {
  switch (json[start]) {
    case '"':
      return textEnd(json, start);
    case '[':
      return depth === deepest ? no : listEnd(json, start, depth + 1);
    case '{':
      return depth === deepest ? no : recordEnd(json, start, depth + 1);
    default:
      return scalarEnd(json, start);
  }
}

/** The JSON itself, without the blanks around it that a program writes; null: it would be written otherwise, or is none. */
export function writtenForm(text: string): string | null {
  let start = 0;
  let end = text.length;
  while (blanks.has(text[start] ?? '')) start += 1;
  while (end > start && blanks.has(text[end - 1] ?? '')) end -= 1;
  const json = text.slice(start, end);
  return valueEnd(json, 0, 0) === json.length && json !== '' ? json : null;
}
