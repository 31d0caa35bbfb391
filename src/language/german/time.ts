import type { Words } from '../words.ts';

export const time: Words<'time'> = {
  justNow: 'gerade eben',
  minutesAgo: 'vor {n, number} min',
  hoursAgo: 'vor {n, number} h',
  yesterday: 'gestern',
  daysAgo: '{n, plural, one {vor # Tag} other {vor # Tagen}}',
  seconds: '{n, number} s',
  minutes: '{n, number} min',
  hours: '{n, number} h',
  days: '{n, plural, one {# Tag} other {# Tage}}',
  now: 'jetzt',
  inDays: 'in {n, plural, one {# Tag} other {# Tagen}}',
  in: 'in {duration}',
  today: 'Heute',
  yesterdayAsHeading: 'Gestern',
};
