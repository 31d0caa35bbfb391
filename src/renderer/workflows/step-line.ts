/** Where a step stands in the text of its file, in YAML or JSON; null: not found. From 1. */
export function lineOfStep(text: string, id: string): number | null {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => {
    const found = /^\s*(?:-\s*)?\{?\s*["']?id["']?\s*:\s*["']?([^"',}#]*)/.exec(line);
    return found?.[1]?.trim() === id;
  });
  return at < 0 ? null : at + 1;
}
