/**
 * Globs of rules, matched in time linear in the text for a given pattern (T25): all positions of the pattern
 * advance at once, without backtracking. `*` and `?` stay within one path segment, `**` does not; classes and
 * escapes are not supported.
 */

type Part =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'one' }
  /** `deep`: also matches separators. */
  | { readonly kind: 'many'; readonly deep: boolean };

export interface GlobOptions {
  /** Character that `*` and `?` do not match; empty if they match any. */
  readonly separator: string;
}

function partsOf(pattern: string): readonly Part[] {
  const parts: Part[] = [];
  const characters = [...pattern];
  for (let i = 0; i < characters.length; i += 1) {
    const char = characters[i] ?? '';
    if (char === '?') parts.push({ kind: 'one' });
    else if (char !== '*') parts.push({ kind: 'char', char });
    else {
      const deep = characters[i + 1] === '*';
      while (characters[i + 1] === '*') i += 1;
      parts.push({ kind: 'many', deep });
    }
  }
  return parts;
}

/** Adds positions reachable without input, because a `many` may be empty. */
function close(parts: readonly Part[], at: Uint8Array): void {
  for (let i = 0; i < parts.length; i += 1) if (at[i] === 1 && parts[i]?.kind === 'many') at[i + 1] = 1;
}

function step(parts: readonly Part[], at: Uint8Array, char: string, separator: string): Uint8Array {
  const next = new Uint8Array(parts.length + 1);
  const within = char !== separator;
  for (const [i, part] of parts.entries()) {
    if (at[i] !== 1) continue;
    if (part.kind === 'char' && part.char === char) next[i + 1] = 1;
    else if (part.kind === 'one' && within) next[i + 1] = 1;
    else if (part.kind === 'many' && (part.deep || within)) next[i] = 1;
  }
  close(parts, next);
  return next;
}

/** Reached positions after `text`; one for each part and one for the end of the pattern. */
function positionsAfter(pattern: string, text: string, { separator }: GlobOptions): Uint8Array {
  const parts = partsOf(pattern);
  let at: Uint8Array = new Uint8Array(parts.length + 1);
  at[0] = 1;
  close(parts, at);
  for (const char of text) {
    at = step(parts, at, char, separator);
    if (!at.includes(1)) break;
  }
  return at;
}

/** The whole of `text` must match. */
export const matchGlob = (pattern: string, text: string, options: GlobOptions): boolean =>
  positionsAfter(pattern, text, options).at(-1) === 1;

/** Whether some text that begins with `text` matches. */
export const matchGlobStart = (pattern: string, text: string, options: GlobOptions): boolean =>
  positionsAfter(pattern, text, options).includes(1);

/** For names and handles, which have no separator. */
export const matchName = (pattern: string, name: string): boolean =>
  matchGlob(pattern, name, { separator: '' });
