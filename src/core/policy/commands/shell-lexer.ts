/**
 * Splits a POSIX/bash command line into tokens that together cover every character. Nothing is expanded: a
 * word that a shell would change is marked `dynamic`, and carries the command lines of its substitutions.
 * Anything uncertain is a `problem`, never a guess.
 *
 * Three readers, because the grammars differ: `words.ts` refuses all shell syntax (`bash_exec`), and
 * `workflows/file/shell-words.ts` accepts unfinished text whose values are still unknown.
 */

export interface ShellToken {
  readonly kind: 'space' | 'comment' | 'operator' | 'word';
  readonly start: number;
  readonly end: number;
  /** For a word, the text after quote removal; otherwise the source text. */
  readonly text: string;
  /** Words only: a shell's result depends on variables, files or other programs. */
  readonly dynamic: boolean;
  /** Partly quoted or escaped, so it is no reserved word, assignment or descriptor number. */
  readonly quoted: boolean;
  /** Its substitutions; offsets refer to their own `source`. */
  readonly nested: readonly NestedLine[];
}

export interface NestedLine {
  readonly source: string;
  readonly tokens: readonly ShellToken[];
}

export interface Lexed {
  readonly tokens: readonly ShellToken[];
  readonly problem: string | null;
}

interface Cursor {
  readonly source: string;
  at: number;
  problem: string | null;
  readonly depth: number;
}

interface WordParts {
  text: string;
  dynamic: boolean;
  quoted: boolean;
  readonly nested: NestedLine[];
}

const maxDepth = 12;
const metaCharacters = new Set([' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')', '']);
const operators = [
  '<<<', '<<-', '&>>', ';;&', '&&', '||', ';;', ';&', '|&', '<<', '>>', '<&', '>&', '<>', '>|', '&>',
  '\n', ';', '&', '|', '<', '>', '(', ')',
]; // biome-ignore format: longest first, one glance
const parameterStart = /[A-Za-z0-9_@*#?$!-]/;
const ansiEscapes: Readonly<Record<string, string>> = {
  n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', e: '\x1b', E: '\x1b', f: '\f', v: '\v',
  '\\': '\\', "'": "'", '"': '"', '?': '?',
}; // biome-ignore format: a table

const peek = (c: Cursor, ahead = 0): string => c.source[c.at + ahead] ?? '';

function fail(c: Cursor, problem: string): undefined {
  c.problem ??= problem;
  c.at = c.source.length;
}

function readSingle(c: Cursor, word: WordParts): undefined {
  const close = c.source.indexOf("'", c.at + 1);
  if (close < 0) return fail(c, 'a quote is not closed');
  word.text += c.source.slice(c.at + 1, close);
  word.quoted = true;
  c.at = close + 1;
}

/** `$'…'` with numeric escapes, because they can spell any name. */
function readAnsi(c: Cursor, word: WordParts): undefined {
  c.at += 2;
  word.quoted = true;
  while (peek(c) !== "'") {
    if (peek(c) === '') return fail(c, 'a quote is not closed');
    if (peek(c) !== '\\') {
      word.text += peek(c);
      c.at += 1;
      continue;
    }
    const numeric = /^\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|([0-7]{1,3}))/.exec(
      c.source.slice(c.at, c.at + 8),
    );
    const plain = ansiEscapes[peek(c, 1)];
    if (numeric) {
      const [all, hex, unicode, octal] = numeric;
      word.text += String.fromCharCode(
        octal === undefined ? Number.parseInt(hex ?? unicode ?? '0', 16) : Number.parseInt(octal, 8) & 255,
      );
      c.at += all.length;
    } else if (plain !== undefined) {
      word.text += plain;
      c.at += 2;
    } else return fail(c, 'an escape that is not known');
  }
  c.at += 1;
}

function readDouble(c: Cursor, word: WordParts): undefined {
  c.at += 1;
  word.quoted = true;
  while (peek(c) !== '"') {
    const char = peek(c);
    if (char === '') return fail(c, 'a quote is not closed');
    if (char === '$') readDollar(c, word, true);
    else if (char === '`') readBackticks(c, word);
    else if (char === '\\') readDoubleEscape(c, word);
    else {
      word.text += char;
      c.at += 1;
    }
  }
  c.at += 1;
}

function readDoubleEscape(c: Cursor, word: WordParts): undefined {
  const next = peek(c, 1);
  if (next === '') return fail(c, 'a quote is not closed');
  if ('$`"\\'.includes(next)) word.text += next;
  else if (next !== '\n') word.text += `\\${next}`;
  c.at += 2;
}

function readBackticks(c: Cursor, word: WordParts): undefined {
  let end = c.at + 1;
  while (end < c.source.length && c.source[end] !== '`') end += c.source[end] === '\\' ? 2 : 1;
  if (end >= c.source.length) return fail(c, 'a substitution is not closed');
  const inner = c.source.slice(c.at + 1, end).replace(/\\([\\`$])/g, '$1');
  const lexed = lexAt(inner, c.depth + 1);
  if (lexed.problem) return fail(c, lexed.problem);
  word.nested.push({ source: inner, tokens: lexed.tokens });
  word.dynamic = true;
  c.at = end + 1;
}

/** Starts at the bracket after `$`, `<` or `>`, and ends after the closing one. */
function readSubstitution(c: Cursor, word: WordParts): undefined {
  const inner: Cursor = { source: c.source, at: c.at + 1, problem: null, depth: c.depth + 1 };
  const tokens = readTokens(inner, true);
  if (inner.problem) return fail(c, inner.problem);
  if (peek(inner) !== ')') return fail(c, 'a substitution is not closed');
  word.nested.push({ source: c.source, tokens });
  word.dynamic = true;
  c.at = inner.at + 1;
}

function readBraces(c: Cursor, word: WordParts): undefined {
  c.at += 2;
  word.dynamic = true;
  while (peek(c) !== '}') {
    if (peek(c) === '') return fail(c, 'a variable is not closed');
    // The meaning of quotes here depends on whether the whole variable is quoted.
    if (`'"\\`.includes(peek(c))) return fail(c, 'quotes inside of a variable');
    readPart(c, word);
  }
  c.at += 1;
}

function readDollar(c: Cursor, word: WordParts, inDouble: boolean): undefined {
  const next = peek(c, 1);
  if (next === '(') {
    if (peek(c, 2) === '(') return fail(c, 'arithmetic');
    c.at += 1;
    return readSubstitution(c, word);
  }
  if (next === '{') return readBraces(c, word);
  if (next === '[') return fail(c, 'arithmetic');
  if (next === "'" && !inDouble) return readAnsi(c, word);
  if (!parameterStart.test(next)) {
    // `$"…"` is a translated string; otherwise the sign is literal.
    if (next !== '"' || inDouble) word.text += '$';
    c.at += 1;
    return undefined;
  }
  word.dynamic = true;
  c.at += 1 + (/^(?:[A-Za-z_]\w*|.)/.exec(c.source.slice(c.at + 1))?.[0].length ?? 1);
}

function readPart(c: Cursor, word: WordParts): undefined {
  const char = peek(c);
  if (char === "'") readSingle(c, word);
  else if (char === '"') readDouble(c, word);
  else if (char === '$') readDollar(c, word, false);
  else if (char === '`') readBackticks(c, word);
  else if (char === '\\') {
    if (peek(c, 1) === '') return fail(c, 'ends in a backslash');
    word.quoted = true;
    if (peek(c, 1) !== '\n') word.text += peek(c, 1);
    c.at += 2;
  } else {
    if ('*?[{'.includes(char) || (char === '~' && word.text === '')) word.dynamic = true;
    word.text += char;
    c.at += 1;
  }
}

function readWord(c: Cursor): ShellToken {
  const start = c.at;
  const word: WordParts = { text: '', dynamic: false, quoted: false, nested: [] };
  if (/^[<>]\($/.test(c.source.slice(c.at, c.at + 2))) {
    c.at += 1;
    readSubstitution(c, word);
  }
  while (!metaCharacters.has(peek(c))) readPart(c, word);
  // A single brace groups commands; it is no brace expansion.
  const dynamic = word.dynamic && c.source.slice(start, c.at) !== '{';
  return { ...word, kind: 'word', dynamic, start, end: c.at };
}

const plainToken = (c: Cursor, kind: ShellToken['kind'], length: number): ShellToken => {
  const start = c.at;
  c.at = Math.min(c.at + length, c.source.length);
  return {
    kind,
    start,
    end: c.at,
    text: c.source.slice(start, c.at),
    dynamic: false,
    quoted: false,
    nested: [],
  };
};

function readToken(c: Cursor, afterWord: boolean): ShellToken {
  const rest = c.source.slice(c.at);
  const space = /^(?:[ \t]|\\\n)+/.exec(rest);
  if (space) return plainToken(c, 'space', space[0].length);
  if (rest.startsWith('#') && !afterWord) {
    return plainToken(c, 'comment', rest.search(/\n|$/));
  }
  if (/^[<>]\(/.test(rest)) return readWord(c);
  const operator = operators.find((one) => rest.startsWith(one));
  return operator === undefined ? readWord(c) : plainToken(c, 'operator', operator.length);
}

/** `inside`: stops at the bracket that closes the substitution. */
function readTokens(c: Cursor, inside: boolean): ShellToken[] {
  const tokens: ShellToken[] = [];
  if (c.depth > maxDepth) fail(c, 'nested too deeply');
  let open = 0;
  while (c.at < c.source.length) {
    if (inside && open === 0 && peek(c) === ')') break;
    const token = readToken(c, tokens.at(-1)?.kind === 'word');
    if (token.kind === 'operator' && token.text === '(') open += 1;
    if (token.kind === 'operator' && token.text === ')') open -= 1;
    tokens.push(token);
  }
  return tokens;
}

function lexAt(source: string, depth: number): Lexed {
  const c: Cursor = { source, at: 0, problem: null, depth };
  if (/[\0\r]/.test(source)) fail(c, 'a control character');
  const tokens = readTokens(c, false);
  return { tokens, problem: c.problem };
}

export const lexShell = (source: string): Lexed => lexAt(source, 0);
