/** The operator's notes on messages: reactions, pins, deleted copies. */
import { useMemo } from 'react';
import type { Annotation, ChatMessage, RoomView } from '../../contract/model.ts';
import { useRoomView } from '../state/subscriptions.ts';

type Notes = RoomView['annotations'];
const none: Notes = {};

export const useAnnotation = ({ roomId, id }: Pick<ChatMessage, 'roomId' | 'id'>): Annotation | null =>
  useRoomView(roomId, (view) => view?.annotations[id] ?? null);

export const usePinCount = (roomId: string): number =>
  useRoomView(
    roomId,
    (view) => Object.values(view?.annotations ?? none).filter(({ pinnedAt }) => pinnedAt !== null).length,
  );

/** Drops deleted messages, except a root that still has replies. */
export function withoutDeleted(messages: readonly ChatMessage[], notes: Notes): readonly ChatMessage[] {
  const isDeleted = (id: string): boolean => notes[id]?.deleted === true;
  if (!messages.some(({ id }) => isDeleted(id))) return messages;
  const kept = messages.filter(({ id }) => !isDeleted(id));
  const roots = new Set(kept.map(({ threadRootId }) => threadRootId));
  return messages.filter(({ id }) => !isDeleted(id) || roots.has(id));
}

export function useWithoutDeleted(roomId: string, messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const notes = useRoomView(roomId, (view) => view?.annotations ?? none);
  return useMemo(() => withoutDeleted(messages, notes), [messages, notes]);
}
