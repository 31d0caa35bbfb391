/**
 * Short forms of the values that message rows repeat. A UUID message id is stored as its 16 bytes, a nonce as its
 * bytes, and a name (room, space, slug, content type, reason) as `#` and the number of its row in `names`. Every
 * value has exactly one form, so that equal values compare equal in SQL.
 */
import type { SqlRow, SqlValue } from './binding.ts';
import { damagedField } from './row-fields.ts';
import type { StoreHandle } from './store-file.ts';

const uuidId = /^msg_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const nonceBytes = 16;

export const packId = (id: string): string | Uint8Array =>
  uuidId.test(id) ? Buffer.from(id.slice(4).replaceAll('-', ''), 'hex') : id;

export const packIdOrNull = (id: string | null): string | Uint8Array | null =>
  id === null ? null : packId(id);

/** Reads an id column as text: the driver creates a text faster than a buffer. */
export const idColumn = (column: string): string =>
  `CASE typeof(${column}) WHEN 'blob' THEN '=' || hex(${column}) ELSE ${column} END AS ${column}`;

/** `value` comes from `idColumn`. */
export function unpackId(value: SqlValue | undefined): string | null {
  if (typeof value !== 'string') return null;
  if (value.length !== 33 || !value.startsWith('=')) return value;
  const hex = value.toLowerCase();
  return `msg_${hex.slice(1, 9)}-${hex.slice(9, 13)}-${hex.slice(13, 17)}-${hex.slice(17, 21)}-${hex.slice(21)}`;
}

/** A nonce that is not the base64url of 16 bytes stays a literal. */
export function packNonce(nonce: string): string | Uint8Array {
  const bytes = Buffer.from(nonce, 'base64url');
  return bytes.length === nonceBytes && bytes.toString('base64url') === nonce ? bytes : nonce;
}

/** The number in a reference to `names`, or `null` for a literal, which old rows have. */
export function nameIdOf(value: string): number | null {
  const id = value.startsWith('#') ? Number(value.slice(1)) : Number.NaN;
  return Number.isSafeInteger(id) ? id : null;
}

const refIn = (row: SqlRow | undefined): string | null => (row === undefined ? null : `#${row.id}`);

/** The reference to a name, or `null` if no row has ever had this name. */
export const findRef = ({ sql }: StoreHandle, name: string): string | null =>
  refIn(sql('SELECT id FROM names WHERE name = ?').get([name]));

/** The reference to a name, which is added if it is new. Call it inside a transaction. */
export function refOf(handle: StoreHandle, name: string): string {
  const found = findRef(handle, name);
  if (found !== null) return found;
  handle.sql('INSERT INTO names (name) VALUES (?)').run([name]);
  return findRef(handle, name) ?? '';
}

export const refOrNull = (handle: StoreHandle, name: string | null): string | null =>
  name === null ? null : refOf(handle, name);

/** A reference without its name means damage. */
export function nameOf({ sql, names }: StoreHandle, value: SqlValue | undefined): string | null {
  if (typeof value !== 'string') return null;
  const known = names.get(value);
  if (known !== undefined) return known;
  const id = nameIdOf(value);
  if (id === null) return value;
  const name = sql('SELECT name FROM names WHERE id = ?').get([id])?.name;
  if (typeof name !== 'string') throw damagedField('names');
  names.set(value, name);
  return name;
}
