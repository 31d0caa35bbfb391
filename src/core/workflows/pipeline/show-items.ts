/**
 * Renders the output of a run for a terminal: indented JSON, or a table of the first items' fields. Terminal
 * control characters and text direction marks are escaped.
 */
import { cutCodePoints } from '../../lib/text.ts';
import type { ShowFormat } from './command.ts';
import { exactJsonText, isExactRecord, type JsonValue, stringifyExact } from './exact-json.ts';

/** Number of items whose fields become columns. */
const columnItems = 20;
const maxCell = 80;

const steering = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const escaped = (char: string): string => {
  if (char === '\n') return '\\n';
  return char === '\t' ? '\\t' : `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
};

function cellOf(value: JsonValue | undefined): string {
  const text = value === undefined || value === null ? '' : exactJsonText(value);
  const cut = cutCodePoints(text, maxCell);
  return `${cut}${cut.length < text.length ? '…' : ''}`.replace(steering, escaped);
}

function tableText(items: readonly JsonValue[]): string {
  const records = items.slice(0, columnItems).filter(isExactRecord);
  const fields = [...new Set(records.flatMap((item) => Object.keys(item)))];
  const columns = fields.length === 0 ? ['value'] : fields;
  const rows = items.map((item) => {
    if (!isExactRecord(item)) return columns.map((_column, index) => (index === 0 ? cellOf(item) : ''));
    return columns.map((column) => cellOf(Object.hasOwn(item, column) ? item[column] : undefined));
  });
  const header = columns.map((column) => cellOf(column));
  const all = [header, ...rows];
  const widths = columns.map((_column, index) =>
    all.reduce((widest, row) => Math.max(widest, [...(row[index] ?? '')].length), 0),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd();
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

export function showItems(items: readonly JsonValue[], format: ShowFormat): string {
  if (format === 'table') return items.length === 0 ? 'No items.' : tableText(items);
  // JSON leaves characters above ASCII unescaped; the line ends here come from indentation.
  return stringifyExact(items, 2).replace(steering, (char) => (char === '\n' ? char : escaped(char)));
}
