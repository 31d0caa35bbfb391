/** Selection of rows as pure functions: single rows, a range from the anchor, or all. */

export interface Selected {
  readonly keys: ReadonlySet<string>;
  /** The row that a range begins at, or `null`. */
  readonly anchor: string | null;
  /** Rows selected besides the range from the anchor. */
  readonly base: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();
export const nothingSelected: Selected = { keys: none, anchor: null, base: none };

export function toggled({ keys }: Selected, key: string): Selected {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return { keys: next, anchor: key, base: new Set([...next].filter((one) => one !== key)) };
}

/** Selects from the anchor to `key` in the order of `all`; replaces the range selected before. */
export function extended({ anchor, base }: Selected, key: string, all: readonly string[]): Selected {
  const start = anchor !== null && all.includes(anchor) ? anchor : key;
  const [a, b] = [all.indexOf(start), all.indexOf(key)];
  const range = all.slice(Math.min(a, b), Math.max(a, b) + 1);
  return { keys: new Set([...base, ...range]), anchor: start, base };
}

export const selectedOnly = (keys: readonly string[]): Selected => ({
  keys: new Set(keys),
  anchor: keys[0] ?? null,
  base: none,
});

export function without({ keys, anchor, base }: Selected, gone: readonly string[]): Selected {
  const rest = (from: ReadonlySet<string>): ReadonlySet<string> => {
    const next = new Set(from);
    for (const key of gone) next.delete(key);
    return next;
  };
  return { keys: rest(keys), anchor, base: rest(base) };
}
