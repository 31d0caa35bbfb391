export const contacts = {
  invalidHandle: '"{name}" is not a valid handle.',
  unknownContact: 'No person called {name} has written to your agents. Nothing was changed.',
  chooseServer: 'Choose one with --server.',
  giveServer: 'Name the server with --server.',
  ambiguousContact: 'More than one server has a person called {name}. Nothing was changed.',
} as const;
