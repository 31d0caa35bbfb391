export const cliUpkeep = {
  kept: 'What was there before is in {kept}.',
  loginRenewed: 'Renewed the login to {provider}.',
  newer: '{latest} is there.',
  newerAt: '{latest} is there: {page}.',
  newest: 'It is the newest ({latest}).',
  ownPrimer: "The primer is Kennel's own already; nothing was changed.",
  primerRestored: "The primer that all agents read is Kennel's own again, from their next turn on. ({path})",
  thisIs: 'This is Kennel {current}.',
} as const;
