/** Line diff: longest common subsequence by dynamic programming, after cutting the equal head and tail. */

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Limit of the table's cells. Above it the middle counts as wholly replaced: correct, but coarser. */
const mostCells = 4_000_000;

export function lineDiff(before: string, after: string): DiffLine[] {
  const a = before.split('\n');
  const b = after.split('\n');
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (
    tail < a.length - head &&
    tail < b.length - head &&
    a[a.length - 1 - tail] === b[b.length - 1 - tail]
  )
    tail += 1;
  const same = (text: string): DiffLine => ({ kind: 'same', text });
  return [
    ...a.slice(0, head).map(same),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(same),
  ];
}

const removed = (text: string): DiffLine => ({ kind: 'removed', text });
const added = (text: string): DiffLine => ({ kind: 'added', text });

function middle(a: readonly string[], b: readonly string[]): DiffLine[] {
  if (a.length * b.length > mostCells) return [...a.map(removed), ...b.map(added)];
  const common = commonLengths(a, b);
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  const at = (row: number, column: number): number => common[row]?.[column] ?? 0;
  while (i < a.length || j < b.length) {
    const left = a[i];
    const right = b[j];
    if (left !== undefined && left === right) {
      lines.push({ kind: 'same', text: left });
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(left));
      i += 1;
    } else if (right !== undefined) {
      lines.push(added(right));
      j += 1;
    }
  }
  return lines;
}

/** `common[i][j]` is the length of the longest common subsequence of `a` from i and `b` from j. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint32Array[] {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const row = rows[i];
    const below = rows[i + 1];
    if (row === undefined || below === undefined) continue;
    for (let j = b.length - 1; j >= 0; j -= 1)
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
  }
  return rows;
}

/** Folds long unchanged stretches into one entry with their line count. */
export type DiffPart = DiffLine | { readonly kind: 'folded'; readonly count: number };

export function foldDiff(lines: readonly DiffLine[], context = 3): DiffPart[] {
  const near = (index: number): boolean => {
    for (let at = index - context; at <= index + context; at += 1)
      if (lines[at] !== undefined && lines[at]?.kind !== 'same') return true;
    return false;
  };
  const parts: DiffPart[] = [];
  lines.forEach((line, index) => {
    const last = parts.at(-1);
    if (near(index)) parts.push(line);
    else if (last?.kind === 'folded') parts[parts.length - 1] = { kind: 'folded', count: last.count + 1 };
    else parts.push({ kind: 'folded', count: 1 });
  });
  return parts;
}
