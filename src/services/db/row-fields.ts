/** Reads typed fields from rows; a field of another type than the schema gives means the file is damaged. */
import { StoreError } from '../../core/lib/store-error.ts';
import { say } from '../../language/say.ts';
import type { SqlRow } from './binding.ts';

export const damagedField = (name: string): StoreError =>
  new StoreError('corrupt', say('storage.databaseFieldDamaged', { name }));

export function textOf(row: SqlRow, name: string): string {
  const value = row[name];
  if (typeof value !== 'string') throw damagedField(name);
  return value;
}

export function textOrNull(row: SqlRow, name: string): string | null {
  return row[name] === null ? null : textOf(row, name);
}

export function numberOf(row: SqlRow, name: string): number {
  const value = row[name];
  if (typeof value !== 'number') throw damagedField(name);
  return value;
}

export const numberOrNull = (row: SqlRow, name: string): number | null =>
  row[name] === null ? null : numberOf(row, name);

export function oneOf<T extends string>(row: SqlRow, name: string, allowed: readonly T[]): T {
  const found = allowed.find((value) => value === row[name]);
  if (found === undefined) throw damagedField(name);
  return found;
}

/** Message content with its type marker, because the string `42` and the number 42 differ. */
export function contentOf(row: SqlRow): unknown {
  const text = textOf(row, 'content');
  if (numberOf(row, 'content_json') === 0) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw damagedField('content');
  }
}

export function contentFields(content: unknown): { content: string; content_json: number } {
  if (typeof content === 'string') return { content, content_json: 0 };
  return { content: JSON.stringify(content) ?? 'null', content_json: 1 };
}
