export const cliSearch = {
  dayForm: '{flag} takes a day such as 2026-11-01.',
  giveWords: 'Give words to search for, or a filter such as --from.',
  more: 'There is more: --before {id}',
  noAgents: 'None of your agents is there.',
  nothing: 'Nothing was found.',
  nothingWaits: 'Nothing waits for an answer.',
} as const;
