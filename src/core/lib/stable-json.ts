/** One text per JSON value, whatever the order in which its fields were written (RFC 8785): what hashes cover. */

/**
 * Fields in the order of their UTF-16 units; undefined ones are left out, as in JSON itself. Throws `RangeError`
 * beyond `maxDepth` levels.
 */
export function writeStable(value: unknown, maxDepth = Number.POSITIVE_INFINITY): string {
  if (maxDepth < 0) throw new RangeError('nested too deep');
  if (Array.isArray(value))
    return `[${value.map((item) => writeStable(item ?? null, maxDepth - 1)).join(',')}]`;
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const record = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(record).filter((name) => record[name] !== undefined);
  return `{${names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${writeStable(record[name], maxDepth - 1)}`)
    .join(',')}}`;
}
