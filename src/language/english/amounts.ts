/** Numbers with what they count. */
export const amounts = {
  tokens: '{count, plural, one {# token} other {# tokens}}',
  aboutTokens: 'about {count, plural, one {# token} other {# tokens}}',
} as const;
