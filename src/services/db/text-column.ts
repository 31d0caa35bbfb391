/**
 * Texts of the host in a TEXT column. A plain string is stored as it is, as in rows of older versions; a message
 * is stored as JSON behind a control character, which a plain string cannot forge.
 */
import { hostTextSchema } from '../../contract/host-text-schema.ts';
import type { HostText } from '../../language/host-message.ts';
import type { SqlRow } from './binding.ts';
import { damagedField, textOf } from './row-fields.ts';

const mark = '\u0001';

export const packText = (text: HostText): string =>
  typeof text === 'string' && !text.startsWith(mark) ? text : mark + JSON.stringify(text);

export function unpackText(row: SqlRow, name: string): HostText {
  const stored = textOf(row, name);
  if (!stored.startsWith(mark)) return stored;
  try {
    return hostTextSchema.parse(JSON.parse(stored.slice(mark.length)));
  } catch {
    throw damagedField(name);
  }
}
