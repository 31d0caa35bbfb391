import type { DmConversation, DmConversations } from '../../src/core/puffo/account-store.ts';

/** Titles and archiving in memory; messages are not part of it. */
export function memoryConversations(): DmConversations {
  const all = new Map<string, DmConversation>();
  const change = (roomId: string, by: Partial<DmConversation>): void => {
    const one = all.get(roomId);
    if (one) all.set(roomId, { ...one, ...by });
  };
  const start = (roomId: string, title: string, startedAt: number): void => {
    if (!all.has(roomId)) all.set(roomId, { roomId, title, firstText: '', startedAt, archived: false });
  };
  return {
    list: () => [...all.values()],
    start,
    rename(roomId, title, at) {
      start(roomId, title, at);
      change(roomId, { title });
    },
    setArchived: (roomId, at) => change(roomId, { archived: at !== null }),
    remove: (roomId) => void all.delete(roomId),
  };
}
