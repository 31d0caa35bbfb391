import type { Words } from '../words.ts';

export const amounts: Words<'amounts'> = {
  tokens: '{count, plural, one {# Token} other {# Token}}',
  aboutTokens: 'etwa {count, plural, one {# Token} other {# Token}}',
};
