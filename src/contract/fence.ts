/**
 * Fences untrusted content for a model: two lines enclose it with a mark that does not occur in it, so no
 * text inside can close the fence (T9).
 */

const longestName = 100;

export const fenced = (mark: string, from: string, text: string): string =>
  `\n<data ${mark} from=${JSON.stringify([...from.slice(0, 2 * longestName)].slice(0, longestName).join(''))}>\n${text}\n</data ${mark}>\n`;

/** FNV-1a, 32 bits: only a short name for the text; the search in `fenceMark` provides the protection. */
function shortHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Deterministic, so a replay and a prompt cache see the same request; never part of the text. */
export function fenceMark(text: string): string {
  for (let n = shortHash(text); ; n += 1) {
    const mark = `u${n.toString(36)}`;
    if (!text.includes(mark)) return mark;
  }
}
