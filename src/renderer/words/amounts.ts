/** Numbers with their units. */
import { locale, t } from '../../language/texts.ts';

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString(locale())} ${count === 1 ? one : many}`;

const sized = (n: number): string => n.toLocaleString(locale(), { maximumFractionDigits: 1 });

const mib = 1024 * 1024;

/** In the units of the limits and of the command line. */
export function bytesWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < mib) return `${sized(bytes / 1024)} KiB`;
  return `${sized(bytes / mib)} MiB`;
}

/** A rough guess, four characters to a token; always said with "about". */
export const aboutTokens = (text: string): string =>
  t('amounts.aboutTokens', { count: Math.ceil([...text].length / 4) });
