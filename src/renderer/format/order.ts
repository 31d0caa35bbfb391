/** Sorts names by locale: ignores case, compares numbers by value. */
import { locale } from '../../language/texts.ts';

/** Cached, because creating a collator is far slower than using it. */
const collators = new Map<string, Intl.Collator>();

export function byWords(a: string, b: string): number {
  const language = locale();
  const collator =
    collators.get(language) ?? new Intl.Collator(language, { numeric: true, sensitivity: 'base' });
  collators.set(language, collator);
  return collator.compare(a, b);
}
