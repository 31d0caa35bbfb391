import { locale } from '../../language/texts.ts';
import { visibleLine } from './visible-text.ts';

/** Names as a list in the reader's language. */
export const listed = (names: readonly string[]): string =>
  new Intl.ListFormat(locale()).format(names.map(visibleLine));
