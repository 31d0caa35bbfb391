/** Numbers with their units. */
import { locale, t } from '../../language/texts.ts';

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString(locale())} ${count === 1 ? one : many}`;

const sized = (n: number): string =>
  n.toLocaleString(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export function bytesWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${sized(bytes / 1000)} kB`;
  return `${sized(bytes / 1_000_000)} MB`;
}

/** A rough guess, four characters to a token; always said with "about". */
export const aboutTokens = (text: string): string =>
  t('amounts.aboutTokens', { count: Math.ceil([...text].length / 4) });
