/** One shortened line of a message for lists, without Markdown and without invisible characters. */
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
