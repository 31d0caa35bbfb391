/** Conversations of a direct message among the rooms of the chat. */
import type { Room } from './model.ts';
import { conversationIdIn, mainRoom } from './room-id.ts';

/** True for the main conversation and all further ones of the same people as `roomId`. */
export const isConversationOf = ({ id }: Pick<Room, 'id'>, roomId: string): boolean =>
  mainRoom(id) === mainRoom(roomId);

export const isFurther = ({ id }: Pick<Room, 'id'>): boolean => conversationIdIn(id) !== null;

/** The chosen title, or the beginning of the first message; empty if the conversation has neither. */
export const conversationTitle = ({ conversation }: Pick<Room, 'conversation'>): string =>
  conversation?.title ?? '';
