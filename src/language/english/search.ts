/** Message search. */
export const search = {
  title: 'Search messages',
  search: 'Search',
  words: 'Words to search for',
  where: 'Where to search',
  thisRoom: 'This room',
  everywhere: 'Everywhere',
  found: 'Messages found',
  count: '{count, plural, one {# message} other {# messages}}',
  countAndMore: '{count, plural, one {# message} other {# messages}} and more',
  takingIn: 'Still taking in messages that are new to the search…',
  searching: 'Searching…',
  older: 'Show older ones',
  nothing:
    'Nothing has all of these words. Try fewer of them, or the beginning of one with a star: <code>plan*</code>.',
  inThread: '<room>{name}</room>, in a thread',
  wordsExample: 'picnic friday',
  wordsMean: 'messages that have both words',
  phraseExample: '"bring a blanket"',
  phraseMeans: 'these words in this order',
  starExample: 'plan*',
  starMeans: 'words that begin so: plan, plans, planning',
} as const;
