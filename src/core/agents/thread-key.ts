/** Under which name an agent remembers a conversation: a direct message is one for ever, a room has one per thread. */

export const threadKeyOf = (roomId: string, rootId: string): string =>
  roomId.startsWith('dm:') ? roomId : `${roomId}/${rootId}`;
