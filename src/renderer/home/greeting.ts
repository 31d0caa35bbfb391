import { t } from '../../language/texts.ts';
import { visibleLine } from '../words/visible-text.ts';

function partOfDay(hour: number): string {
  if (hour < 5) return t('home.night');
  if (hour < 12) return t('home.morning');
  return hour < 18 ? t('home.afternoon') : t('home.evening');
}

/** Somebody who is only "You" is not called by that. */
export function greeting(name: string): string {
  const part = partOfDay(new Date().getHours());
  const known = name !== '' && name.toLowerCase() !== 'you';
  return known ? t('home.greeting', { part, name: visibleLine(name) }) : part;
}
