/** Canonical JSON for hashes, independent of field order (RFC 8785). */

/**
 * Sorts fields by UTF-16 units and omits `undefined` ones, as JSON does. Throws `RangeError` beyond
 * `maxDepth` levels.
 */
export function writeStable(value: unknown, maxDepth = Number.POSITIVE_INFINITY): string {
  if (maxDepth < 0) throw new RangeError('nested too deep');
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${writeStable(item ?? null, maxDepth - 1)}`;
    return `[${text}]`;
  }
  const record = value as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(record).sort()) {
    const field = record[name];
    if (field === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${writeStable(field, maxDepth - 1)}`;
  }
  return `{${text}}`;
}
