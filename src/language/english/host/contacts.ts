export const contacts = {
  noHandle: '"{name}" is no handle.',
  noPersonCalledWritten: 'No person called {name} has written to your agents. Nothing was changed.',
  sayServer: 'Say which with --server.',
  sayServerServer: 'Say at which server with --server.',
  serverPersonCalled: 'More than one server has a person called {name}. Nothing was changed.',
} as const;
