import { styleText } from 'node:util';
import { visibleTerminalLine } from './visible-text.ts';

// The one style of tables: upper-case headings, and states in colour where standard output shows colours
// (a terminal, without NO_COLOR).

const tones = { good: 'green', busy: 'cyan', attention: 'yellow', bad: 'red', quiet: 'gray' } as const;

export type Tone = keyof typeof tones;

/** A state in its colour. */
export interface StateCell {
  readonly text: string;
  readonly tone: Tone;
}

export type TableCell = string | StateCell;

/** Text that is safe to print as it is, because all untrusted parts were made visible first. */
export class SafeText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export const colored = (tone: Tone, text: string): string =>
  styleText(tones[tone], text, { stream: process.stdout });

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** Columns that a terminal uses for one line of text. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (!/\p{M}|\u200d/u.test(character)) width += wide.test(character) ? 2 : 1;
  }
  return width;
}

const plain = (cell: TableCell): string => visibleTerminalLine(typeof cell === 'string' ? cell : cell.text);

const shown = (cell: TableCell): string =>
  typeof cell === 'string' ? plain(cell) : colored(cell.tone, plain(cell));

/** Lines of a label and a value; the longest label, or `least` columns, sets the width. */
export function labelledLines(rows: readonly (readonly [string, string])[], least: number): string[] {
  const width = Math.max(least, ...rows.map(([label]) => displayWidth(label)));
  return rows.map(([label, value]) => `  ${label}${' '.repeat(width - displayWidth(label))} ${value}`);
}

/** The same without indentation, for values that are copied. */
export const flatLines = (rows: readonly (readonly [string, string])[], least = 7): string[] =>
  labelledLines(rows, least).map((line) => line.slice(2));

/** Rows of equal length in columns; an empty `heads` prints no headings. */
export function columnsText(heads: readonly string[], rows: readonly (readonly TableCell[])[]): SafeText {
  const all = heads.length === 0 ? rows : [heads, ...rows];
  const widths = (all[0] ?? []).map((_, at) =>
    Math.max(...all.map((row) => displayWidth(plain(row[at] ?? '')))),
  );
  const line = (row: readonly TableCell[], isHead: boolean): string => {
    const last = row.findLastIndex((cell) => plain(cell) !== '');
    const cells = row.slice(0, last + 1).map((cell, at) => {
      const gap = at === last ? 0 : (widths[at] ?? 0) - displayWidth(plain(cell));
      return `${isHead ? colored('quiet', plain(cell)) : shown(cell)}${' '.repeat(gap)}`;
    });
    return cells.join('  ');
  };
  const hasHeads = heads.length > 0;
  return new SafeText(all.map((row, at) => line(row, hasHeads && at === 0)).join('\n'));
}
