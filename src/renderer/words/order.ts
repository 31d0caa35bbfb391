/** Names in the order a person expects: letters without regard to case, numbers by their value. */
import { locale } from '../../language/texts.ts';

/** Making one costs far more than using it. */
const collators = new Map<string, Intl.Collator>();

export function byWords(a: string, b: string): number {
  const language = locale();
  const collator =
    collators.get(language) ?? new Intl.Collator(language, { numeric: true, sensitivity: 'base' });
  collators.set(language, collator);
  return collator.compare(a, b);
}
