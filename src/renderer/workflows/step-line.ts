/** Finds the line of a step in YAML or JSON text, counted from 1; `null` if not found. */
export function lineOfStep(text: string, id: string): number | null {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => {
    const found = /^\s*(?:-\s*)?\{?\s*["']?id["']?\s*:\s*["']?([^"',}#]*)/.exec(line);
    return found?.[1]?.trim() === id;
  });
  return at < 0 ? null : at + 1;
}
