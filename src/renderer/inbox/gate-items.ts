const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns name and value of each field of an object, or the text of any other value. */
export function fieldsOfItem(json: string): string | readonly (readonly [string, string])[] {
  let item: unknown;
  try {
    item = JSON.parse(json);
  } catch {
    return json;
  }
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return shown(item);
  const fields = Object.entries(item);
  return fields.length === 0 ? '{}' : fields.map(([name, value]) => [name, shown(value)] as const);
}
