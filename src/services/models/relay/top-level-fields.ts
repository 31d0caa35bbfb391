/**
 * Finds fields of a JSON object without parsing the rest: a request of an agent program holds its whole
 * conversation, and the relay needs a name from it. The structure is checked as far as it is needed for that.
 */
export interface ValueRange {
  readonly start: number;
  readonly end: number;
}

const code = { quote: 0x22, backslash: 0x5c, comma: 0x2c, colon: 0x3a, open: 0x7b, close: 0x7d } as const;
const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const opens = (byte: number): boolean => byte === code.open || byte === 0x5b;
const closes = (byte: number): boolean => byte === code.close || byte === 0x5d;

/** The index after the string that begins at `at`, or -1. */
function afterString(body: Buffer, at: number): number {
  for (let end = body.indexOf(code.quote, at + 1); end >= 0; end = body.indexOf(code.quote, end + 1)) {
    let slashes = 0;
    while (body[end - 1 - slashes] === code.backslash) slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
  return -1;
}

function afterNested(body: Buffer, at: number): number {
  let depth = 0;
  for (let index = at; index < body.length; ) {
    const byte = body[index] ?? 0;
    if (byte === code.quote) {
      index = afterString(body, index);
      if (index < 0) return -1;
      continue;
    }
    if (opens(byte)) depth += 1;
    else if (closes(byte)) depth -= 1;
    index += 1;
    if (depth === 0) return index;
  }
  return -1;
}

function afterValue(body: Buffer, at: number): number {
  const first = body[at] ?? 0;
  if (first === code.quote) return afterString(body, at);
  if (opens(first)) return afterNested(body, at);
  let index = at;
  while (index < body.length && body[index] !== code.comma && !closes(body[index] ?? 0)) index += 1;
  while (index > at && isSpace(body[index - 1])) index -= 1;
  return index > at ? index : -1;
}

function afterSpace(body: Buffer, at: number): number {
  let index = at;
  while (isSpace(body[index])) index += 1;
  return index;
}

/** The name of a field, also if it is written with escapes; `null` if it is no string. */
function nameOf(body: Buffer, start: number, end: number): string | null {
  try {
    const name: unknown = JSON.parse(body.toString('utf8', start, end));
    return typeof name === 'string' ? name : null;
  } catch {
    return null;
  }
}

interface Field extends ValueRange {
  readonly name: string;
}

/** The field whose name begins at `at`. */
function readField(body: Buffer, at: number): Field | null {
  const nameEnd = body[at] === code.quote ? afterString(body, at) : -1;
  const colon = nameEnd < 0 ? -1 : afterSpace(body, nameEnd);
  if (body[colon] !== code.colon) return null;
  const start = afterSpace(body, colon + 1);
  const end = afterValue(body, start);
  const name = end < 0 ? null : nameOf(body, at, nameEnd);
  return name === null ? null : { name, start, end };
}

/**
 * The ranges of the values of `names`. `null` if the body is no JSON object, or names one of them twice, where
 * servers differ in which one counts.
 */
export function findFields<Name extends string>(
  body: Buffer,
  names: readonly Name[],
): ReadonlyMap<Name, ValueRange> | null {
  const found = new Map<Name, ValueRange>();
  let at = afterSpace(body, 0);
  if (body[at] !== code.open) return null;
  at = afterSpace(body, at + 1);
  let isLast = body[at] === code.close;
  while (!isLast) {
    const field = readField(body, at);
    const name = names.find((each) => each === field?.name);
    if (field === null || (name !== undefined && found.has(name))) return null;
    if (name !== undefined) found.set(name, { start: field.start, end: field.end });
    at = afterSpace(body, field.end);
    isLast = body[at] === code.close;
    if (!isLast && body[at] !== code.comma) return null;
    if (!isLast) at = afterSpace(body, at + 1);
  }
  return afterSpace(body, at + 1) === body.length ? found : null;
}

/** The body with other text in some ranges; the same body without any. */
export function replaceRanges(
  body: Buffer,
  edits: readonly { readonly range: ValueRange; readonly text: string }[],
): Buffer {
  if (edits.length === 0) return body;
  const pieces: Buffer[] = [];
  let at = 0;
  for (const { range, text } of edits.toSorted((a, b) => a.range.start - b.range.start)) {
    pieces.push(body.subarray(at, range.start), Buffer.from(text));
    at = range.end;
  }
  pieces.push(body.subarray(at));
  return Buffer.concat(pieces);
}
