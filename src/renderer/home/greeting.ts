import { t } from '../../language/texts.ts';
import { visibleLine } from '../words/visible-text.ts';

function partOfDay(hour: number): string {
  if (hour < 5) return t('home.night');
  if (hour < 12) return t('home.morning');
  return hour < 18 ? t('home.afternoon') : t('home.evening');
}

/** Omits the name if it is empty or the default "You". */
export function greeting(name: string): string {
  const part = partOfDay(new Date().getHours());
  const known = name !== '' && name.toLowerCase() !== 'you';
  return known ? t('home.greeting', { part, name: visibleLine(name) }) : part;
}
