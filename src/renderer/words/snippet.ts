/** One line of a message for lists: Markdown signs dropped, nothing hidden, not too long. */
import { visibleLine } from './visible-text.ts';

export function plainSnippet(text: string, limit = 140): string {
  const line = text
    .replace(/```[\s\S]*?(```|$)/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[#>\s]+/gm, ' ')
    .replace(/[*`]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const points = [...line];
  return visibleLine(points.length <= limit ? line : `${points.slice(0, limit - 1).join('')}…`);
}
