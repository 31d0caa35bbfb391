/**
 * Recognises JSON that is already in Kennel's canonical form, so that parsing and writing it would give the
 * same text. One pass without parsing lets large texts be passed on as they are. If in doubt, the result is
 * no.
 */

const no = -1;
/** Deeper nesting counts as not canonical. */
const deepest = 512;

const blanks: ReadonlySet<string> = new Set([' ', '\t', '\n', '\r']);
const escapes: ReadonlySet<string> = new Set(['"', '\\', 'b', 'f', 'n', 'r', 't']);
const scalar = /true|false|null|-?\d[\d.e+-]*/y;
const words: ReadonlySet<string> = new Set(['true', 'false', 'null']);

/**
 * Characters that end a string or are not always written as themselves: control characters and lone
 * surrogates.
 */
const special = /["\\\p{Cc}\p{Cs}]/gu;

/** Offset after the closing quote of the string that starts here, or `no`. */
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

/**
 * Refuses duplicate and numeric keys: parsing keeps the last duplicate and moves numeric keys first, so the
 * text would change.
 */
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

/** Offset after the value that starts here, or `no`. */
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

/** The JSON without surrounding blanks; `null` if it is not canonical or no JSON. */
export function writtenForm(text: string): string | null {
  let start = 0;
  let end = text.length;
  while (blanks.has(text[start] ?? '')) start += 1;
  while (end > start && blanks.has(text[end - 1] ?? '')) end -= 1;
  const json = text.slice(start, end);
  return valueEnd(json, 0, 0) === json.length && json !== '' ? json : null;
}
