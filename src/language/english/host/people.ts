export const people = {
  nobody: 'Kennel knows no one called {who}.',
  findByHandle:
    'Use the complete handle, such as ada-3f9a. "kennel peers find NAME" finds people in your rooms.',
  wrongSafetyNumber: 'This is not the safety number of {slug}. Nothing was changed.',
  agentNotVerified: '{slug} is an agent. The safety number of an agent cannot be compared.',
  verifyOperator: 'Verify the person who operates it.',
  compareSafetyNumber: 'Ask them to read out the number that they see for you, and compare all of it.',
} as const;
