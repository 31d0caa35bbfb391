import type { DiffLine } from '../../contract/line-diff.ts';

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
