import { locale } from '../../language/texts.ts';

const sized = (n: number): string => n.toLocaleString(locale(), { maximumFractionDigits: 1 });

const mib = 1024 * 1024;

/** In binary units, like the limits and the command line. */
export function bytesWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < mib) return `${sized(bytes / 1024)} KiB`;
  return `${sized(bytes / mib)} MiB`;
}
