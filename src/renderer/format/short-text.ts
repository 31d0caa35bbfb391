import { visibleLine } from './visible-text.ts';

/** Cuts untrusted text, so that it cannot fill the page. `limit` in code points. */
export function shortText(text: string, limit: number): string {
  const points = [...text.slice(0, limit * 2)];
  return points.length <= limit && text.length <= limit * 2 ? text : `${points.slice(0, limit).join('')}…`;
}

export const shortLine = (text: string, limit = 200): string => visibleLine(shortText(text, limit));
