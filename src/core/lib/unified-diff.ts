/** Unified diff of two texts. It always shows the whole change. */
import { type DiffLine, diffLines } from '../../contract/line-diff.ts';

const contextLines = 3;
const marks = { same: ' ', removed: '-', added: '+' } as const;

/** Lines with their ends, so a missing last newline counts as a difference. */
const linesOf = (text: string): readonly string[] =>
  text === '' ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []);

/** Ranges of changed lines with their context; `[from, to)`. */
function stretches(lines: readonly DiffLine[]): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (const [index, { kind }] of lines.entries()) {
    if (kind === 'same') continue;
    const from = Math.max(0, index - contextLines);
    const to = Math.min(lines.length, index + contextLines + 1);
    const last = found.at(-1);
    if (last && from <= last[1]) last[1] = to;
    else found.push([from, to]);
  }
  return found;
}

/** Lines of the text that lacks lines of kind `without`. */
const count = (lines: readonly DiffLine[], without: DiffLine['kind']): number =>
  lines.filter(({ kind }) => kind !== without).length;

function rangeOf(start: number, length: number): string {
  const from = length === 0 ? start : start + 1;
  return length === 1 ? `${from}` : `${from},${length}`;
}

function lineText({ kind, text }: DiffLine): string {
  const mark = marks[kind];
  return text.endsWith('\n') ? `${mark}${text.slice(0, -1)}` : `${mark}${text}\n\\ No newline at end of file`;
}

/** Empty if the texts are equal. */
export function unifiedDiff(before: string, after: string): string {
  const lines = diffLines(linesOf(before), linesOf(after));
  const hunks: string[] = [];
  let [at, oldAt, newAt] = [0, 0, 0];
  for (const [from, to] of stretches(lines)) {
    const body = lines.slice(from, to);
    const [oldLength, newLength] = [count(body, 'added'), count(body, 'removed')];
    // All lines between two hunks are equal.
    oldAt += from - at;
    newAt += from - at;
    const head = `@@ -${rangeOf(oldAt, oldLength)} +${rangeOf(newAt, newLength)} @@`;
    hunks.push([head, ...body.map(lineText)].join('\n'));
    oldAt += oldLength;
    newAt += newLength;
    at = to;
  }
  return hunks.join('\n');
}
