/** Numbers with their units. */
import { locale, t } from '../../language/texts.ts';

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString(locale())} ${count === 1 ? one : many}`;

export function bytesWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A rough guess, four characters to a token; always said with "about". */
export const aboutTokens = (text: string): string =>
  t('amounts.aboutTokens', { count: Math.ceil([...text].length / 4) });
