export const cliMcp = {
  good: 'Good until Kennel stops, for this agent alone. Send the token as "Authorization: Bearer TOKEN".',
  lost: 'Kennel went away.',
  startBoth: 'Start it with "kennel start", then start the program that uses it again.',
} as const;
