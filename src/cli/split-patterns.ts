/** Splits tool patterns at commas outside parentheses: `Read,Bash(git a,b)` are two. */
export function splitPatterns(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let current = '';
  for (const char of text) {
    if (char === '(') depth += 1;
    if (char === ')') depth = Math.max(0, depth - 1);
    if (char === ',' && depth === 0) {
      parts.push(current);
      current = '';
    } else current += char;
  }
  return [...parts, current].map((part) => part.trim()).filter((part) => part !== '');
}
