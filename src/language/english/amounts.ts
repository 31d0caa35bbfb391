export const amounts = {
  tokens: '{count, plural, one {# token} other {# tokens}}',
  nothing: 'nothing',
  nothingYet: 'nothing yet',
  unpriced: '{count, plural, one {# token} other {# tokens}}, price unknown',
  partly: '{cost} + unknown',
  priced: '{cost} for {count, plural, one {# token} other {# tokens}}',
  simulated: '{cost} for {count, plural, one {# token} other {# tokens}} at simulated prices',
} as const;
