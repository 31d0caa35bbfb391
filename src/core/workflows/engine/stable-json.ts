/** One text per JSON value, whatever the order in which its fields were written: what hashes of the engine cover. */

/** Fields in the order of their UTF-16 units; fields that are undefined are left out, as in JSON itself. */
export function stableJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => stableJson(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const fields = Object.entries(value)
    .filter(([, held]) => held !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, held]) => `${JSON.stringify(name)}:${stableJson(held)}`).join(',')}}`;
}
