/** Suggests a known name for a mistyped one. */

/** Edit distance of two short words in code units; swapping two neighbours is one edit. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

/**
 * Closest name, or `null` if none is close: at most a third of the letters differ, or one is a prefix of the
 * other.
 */
export function didYouMean(wanted: string, names: readonly string[]): string | null {
  const word = wanted.toLowerCase().slice(0, 100);
  let best: string | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const name of names.slice(0, 2000)) {
    const candidate = name.toLowerCase().slice(0, 100);
    const starts = word.length >= 3 && (candidate.startsWith(word) || word.startsWith(candidate));
    const edits = starts ? 1 : distance(word, candidate);
    if (
      edits < bestDistance &&
      edits <= Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3))
    ) {
      best = name;
      bestDistance = edits;
    }
  }
  return best;
}
