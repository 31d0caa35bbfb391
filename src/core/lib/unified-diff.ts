/**
 * Unified diff of two texts. It always shows the whole change; if computing the shortest diff would take
 * long, the differing part is removed and added as a whole.
 */

/** Most cells of the comparison table; about 10 ms. */
const maxCells = 1_000_000;
const contextLines = 3;

type Mark = ' ' | '-' | '+';
interface DiffLine {
  readonly mark: Mark;
  readonly text: string;
}

/** Lines with their ends, so a missing last newline counts as a difference. */
const linesOf = (text: string): readonly string[] =>
  text === '' ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []);

const marked = (mark: Mark, lines: readonly string[]): DiffLine[] => lines.map((text) => ({ mark, text }));

/** Longest common subsequence between the common prefix and suffix. */
function compareMiddle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const [rows, columns] = [before.length, after.length];
  if (rows * columns > maxCells) return [...marked('-', before), ...marked('+', after)];
  const width = columns + 1;
  const common = new Uint32Array((rows + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = rows - 1; i >= 0; i -= 1) {
    for (let j = columns - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const out: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < rows && j < columns) {
    if (before[i] === after[j]) {
      out.push({ mark: ' ', text: before[i] ?? '' });
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      out.push({ mark: '-', text: before[i] ?? '' });
      i += 1;
    } else {
      out.push({ mark: '+', text: after[j] ?? '' });
      j += 1;
    }
  }
  return [...out, ...marked('-', before.slice(i)), ...marked('+', after.slice(j))];
}

function compare(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return [
    ...marked(' ', before.slice(0, start)),
    ...compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...marked(' ', before.slice(before.length - end)),
  ];
}

/** Ranges of changed lines with their context; `[from, to)`. */
function stretches(lines: readonly DiffLine[]): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (const [index, { mark }] of lines.entries()) {
    if (mark === ' ') continue;
    const from = Math.max(0, index - contextLines);
    const to = Math.min(lines.length, index + contextLines + 1);
    const last = found.at(-1);
    if (last && from <= last[1]) last[1] = to;
    else found.push([from, to]);
  }
  return found;
}

const count = (lines: readonly DiffLine[], ...marks: readonly Mark[]): number =>
  lines.filter(({ mark }) => marks.includes(mark)).length;

function rangeOf(start: number, length: number): string {
  const from = length === 0 ? start : start + 1;
  return length === 1 ? `${from}` : `${from},${length}`;
}

function lineText({ mark, text }: DiffLine): string {
  return text.endsWith('\n') ? `${mark}${text.slice(0, -1)}` : `${mark}${text}\n\\ No newline at end of file`;
}

/** Empty if the texts are equal. */
export function unifiedDiff(before: string, after: string): string {
  const lines = compare(linesOf(before), linesOf(after));
  return stretches(lines)
    .map(([from, to]) => {
      const head = lines.slice(0, from);
      const body = lines.slice(from, to);
      const old = rangeOf(count(head, ' ', '-'), count(body, ' ', '-'));
      const now = rangeOf(count(head, ' ', '+'), count(body, ' ', '+'));
      return [`@@ -${old} +${now} @@`, ...body.map(lineText)].join('\n');
    })
    .join('\n');
}
