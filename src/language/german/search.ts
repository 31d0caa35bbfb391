import type { Words } from '../words.ts';

export const search: Words<'search'> = {
  title: 'Nachrichten durchsuchen',
  search: 'Suche',
  words: 'Gesuchte Wörter',
  where: 'Wo gesucht wird',
  thisRoom: 'Dieser Raum',
  everywhere: 'Überall',
  found: 'Gefundene Nachrichten',
  count: '{count, plural, one {# Nachricht} other {# Nachrichten}}',
  countAndMore: '{count, plural, one {# Nachricht} other {# Nachrichten}} und mehr',
  takingIn: 'Neue Nachrichten werden indiziert…',
  searching: 'Sucht…',
  older: 'Ältere Nachrichten zeigen',
  nothing:
    'Keine Ergebnisse. Versuch es mit weniger Wörtern oder mit einem Wortanfang und Stern: <code>plan*</code>.',
  inThread: '<room>{name}</room>, in einem Thread',
  wordsExample: 'picknick freitag',
  wordsMean: 'Nachrichten mit beiden Wörtern',
  phraseExample: '"bring eine Decke mit"',
  phraseMeans: 'diese Wörter in dieser Reihenfolge',
  starExample: 'plan*',
  starMeans: 'Wörter, die so anfangen: Plan, Plans, Planung',
};
