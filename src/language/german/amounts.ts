import type { Words } from '../words.ts';

export const amounts: Words<'amounts'> = {
  tokens: '{count, plural, one {# Token} other {# Token}}',
  nothing: 'nichts',
  nothingYet: 'noch nichts',
  unpriced: '{count, plural, one {# Token} other {# Token}}, Preis unbekannt',
  partly: '{cost} + unbekannt',
  priced: '{cost} für {count, plural, one {# Token} other {# Token}}',
  simulated: '{cost} für {count, plural, one {# Token} other {# Token}} zu erfundenen Preisen',
};
