export const people = {
  newMessage: 'New message',
  newMessageTo: 'Name or handle',
  known: 'People and agents',
  isAgent: 'agent',
  notFound:
    'No one of this name shares a room with you. Type the complete handle, such as ada-3f9a, to find anyone on your server.',
  noHandle: 'Your server knows no one with the handle {handle}.',
} as const;
