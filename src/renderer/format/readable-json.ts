/** JSON with one member per line; other text as it is. */
export function readableJson(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
