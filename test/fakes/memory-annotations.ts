/** Notes on messages in memory, with the visibility of deleted ones. */
import type { Annotation } from '../../src/contract/model.ts';
import type { Annotations } from '../../src/core/puffo/account-store.ts';
import type { StoredMessage } from '../../src/core/puffo/stored-message.ts';

const empty: Annotation = { reactions: [], pinnedAt: null, deleted: false };

export function memoryAnnotations(messages: Map<string, StoredMessage>, forget: (id: string) => void) {
  const notes = new Map<string, Annotation>();
  const set = (id: string, change: Partial<Annotation>): void => {
    const note = { ...(notes.get(id) ?? empty), ...change };
    if (note.reactions.length === 0 && note.pinnedAt === null && !note.deleted) notes.delete(id);
    else notes.set(id, note);
  };
  const isDeleted = (id: string): boolean => notes.get(id)?.deleted === true;
  const annotations: Annotations = {
    inRoom: (roomId) => new Map([...notes].filter(([id]) => messages.get(id)?.roomId === roomId)),
    of: (id) => notes.get(id) ?? null,
    pinned: (roomId) =>
      [...notes]
        .filter(([, note]) => note.pinnedAt !== null)
        .sort(([, a], [, b]) => (b.pinnedAt ?? 0) - (a.pinnedAt ?? 0))
        .flatMap(([id]) => messages.get(id) ?? [])
        .filter((message) => message.roomId === roomId),
    setReactions: (id, reactions) => set(id, { reactions: [...reactions] }),
    setPinned: (id, pinnedAt) => set(id, { pinnedAt }),
    deleteMessage(id) {
      const message = messages.get(id);
      if (!message || isDeleted(id)) return;
      messages.set(id, { ...message, content: '', contentType: 'text/plain' });
      forget(id);
      set(id, { deleted: true, pinnedAt: null, reactions: [] });
    },
  };
  /** False for a deleted message without replies. */
  const isShown = ({ envelopeId }: StoredMessage): boolean =>
    !isDeleted(envelopeId) ||
    [...messages.values()].some((one) => one.threadRootId === envelopeId && !isDeleted(one.envelopeId));
  return { annotations, isShown, isDeleted };
}
