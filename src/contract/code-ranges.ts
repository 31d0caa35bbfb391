/** Finds the code in a Markdown text: fenced blocks, indented blocks and code spans. */

/** Start of the code, and the index after its end. */
export type CodeRange = readonly [from: number, to: number];

/** Markers of quotes and list items before a fence. */
const fenceLine = /^((?:\s*(?:>|(?:[-*+]|\d{1,9}[.)])(?=\s)))*\s*)(`{3,}|~{3,})/;
const mayHoldCode = /`|~~~|^(?: {4}| {0,3}\t)/m;
const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
/** A line that begins a new block, so that no code span continues into it. */
const blockStart = /^\s*(?:#{1,6}(?:\s|$)|(?:[-*+]|\d{1,9}[.)])\s|\|)/;
const indented = /^(?: {4}| {0,3}\t)/;

interface Fence {
  readonly mark: string;
  /** Number of quotes around it. */
  readonly quotes: number;
  /** It begins on the line of a list item's marker; `indent` is that of the item's text. */
  readonly inItem: boolean;
  readonly indent: number;
}

interface Line {
  readonly text: string;
  readonly at: number;
}

/** The code of a text, in order, without overlaps. */
export function codeRanges(text: string): readonly CodeRange[] {
  if (!mayHoldCode.test(text)) return [];
  const ranges: CodeRange[] = [];
  const prose = createProse(ranges);
  let fence: Fence | null = null;
  let at = 0;
  for (const line of text.split('\n')) {
    const found = fenceIn(line);
    if (fence !== null && hasLeft(line, fence)) fence = null;
    if (fence !== null || found !== null) {
      prose.end();
      ranges.push([at, at + line.length + 1]);
    } else prose.add({ text: line, at });
    if (fence === null) fence = found;
    else if (found !== null && !found.inItem && found.mark.startsWith(fence.mark)) fence = null;
    at += line.length + 1;
  }
  prose.end();
  return ranges;
}

/** Collects the lines of a paragraph, because a code span may reach over several of them. */
function createProse(ranges: CodeRange[]) {
  let paragraph: Line[] = [];
  let quotes = 0;
  let isInList = false;
  const end = (): void => {
    const [first] = paragraph;
    if (first !== undefined) {
      const text = paragraph.map((line) => line.text).join('\n');
      for (const [from, to] of codeSpans(text)) ranges.push([first.at + from, first.at + to]);
    }
    paragraph = [];
  };
  const add = (line: Line): void => {
    const isBlank = line.text.trim() === '';
    const own = countQuotes(quotesOf(line.text));
    if (isBlank || own !== quotes || blockStart.test(line.text)) end();
    quotes = own;
    if (isBlank) return;
    if (paragraph.length === 0) {
      if (!isInList && indented.test(line.text)) {
        ranges.push([line.at, line.at + line.text.length + 1]);
        return;
      }
      if (listItem.test(line.text)) isInList = true;
      else if (/^\S/.test(line.text)) isInList = false;
    }
    paragraph.push(line);
  };
  return { add, end };
}

/** Says of ascending positions whether they are in one of these ranges. */
export function createRangeCursor(ranges: readonly CodeRange[]): (at: number) => boolean {
  let next = 0;
  return (at) => {
    while ((ranges[next]?.[1] ?? Number.POSITIVE_INFINITY) <= at) next += 1;
    return (ranges[next]?.[0] ?? Number.POSITIVE_INFINITY) <= at;
  };
}

const quotesOf = (line: string): string => /^(?:\s*>)*/.exec(line)?.[0] ?? '';
const countQuotes = (quotes: string): number => quotes.replaceAll(/\s/g, '').length;

function fenceIn(line: string): Fence | null {
  const [, before = '', mark = ''] = fenceLine.exec(line) ?? [];
  if (mark === '') return null;
  const quotes = quotesOf(before);
  const item = before.slice(quotes.length);
  const inItem = item.trim() !== '';
  return { mark, quotes: countQuotes(quotes), inItem, indent: inItem ? item.length : 0 };
}

/** Quotes and list items end a fence that they contain. */
function hasLeft(line: string, { quotes, indent }: Fence): boolean {
  const own = quotesOf(line);
  if (countQuotes(own) < quotes) return true;
  const rest = quotes === 0 ? line : line.slice(own.length);
  return rest.trim() !== '' && rest.search(/\S/) < indent;
}

function codeSpans(text: string): readonly CodeRange[] {
  const runs = [...text.matchAll(/`+/g)];
  /** For each run of ticks, last first, the end of the next one of the same length. */
  const closings: (number | undefined)[] = [];
  const ends = new Map<number, number>();
  for (const { index, 0: ticks } of runs.toReversed()) {
    closings.push(ends.get(ticks.length));
    ends.set(ticks.length, index + ticks.length);
  }
  const spans: CodeRange[] = [];
  let at = 0;
  for (const [n, { index }] of runs.entries()) {
    const end = closings.at(-1 - n);
    if (index < at || end === undefined) continue;
    at = end;
    spans.push([index, end]);
  }
  return spans;
}
