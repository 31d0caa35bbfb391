export const contacts = {
  invalidHandle: '"{name}" is no handle.',
  unknownContact: 'No person called {name} has written to your agents. Nothing was changed.',
  chooseServer: 'Say which with --server.',
  giveServer: 'Say at which server with --server.',
  ambiguousContact: 'More than one server has a person called {name}. Nothing was changed.',
} as const;
