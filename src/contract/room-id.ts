/**
 * Room ids of window, command line and stores: a channel by its own id, a direct message by the other
 * person's slug. A channel id starts with `ch_` and neither contains a colon, so no channel can imitate a
 * direct message. A further conversation of a direct message has its id behind a `~`, which no slug contains.
 */
export type SpaceId = `sp_${string}`;
export type ChannelId = `ch_${string}`;
export type DmRoomId = `dm:${string}`;
export type RoomId = ChannelId | DmRoomId;

/** Safe in file names and commands: one path component, no leading dot, at most 200 characters. */
export const isSlug = (text: string): boolean => /^[a-zA-Z0-9_][\w.@-]{0,199}$/.test(text);

export const isSpaceId = (text: unknown): text is SpaceId =>
  typeof text === 'string' && /^sp_[A-Za-z0-9_-]{1,128}$/.test(text);

/** In the protocol a prefixed UUID; other servers may use 1 to 128 base64url characters. */
export const isChannelId = (text: unknown): text is ChannelId =>
  typeof text === 'string' && /^ch_[A-Za-z0-9_-]{1,128}$/.test(text);

/** Id of a further conversation of a direct message; chosen by the person who starts it. */
export const isConversationId = (text: unknown): text is string =>
  typeof text === 'string' && /^cv_[A-Za-z0-9]{8,40}$/.test(text);

/** `conversationId`: `null` for the main conversation. */
export const dmRoomId = (slug: string, conversationId: string | null = null): DmRoomId =>
  conversationId === null ? `dm:${slug}` : `dm:${slug}~${conversationId}`;

interface DmParts {
  readonly slug: string;
  readonly conversationId: string | null;
}

function dmParts(roomId: string): DmParts | null {
  if (!roomId.startsWith('dm:')) return null;
  const [slug = '', conversationId = null, ...more] = roomId.slice('dm:'.length).split('~');
  const isValid = conversationId === null || (more.length === 0 && isConversationId(conversationId));
  return isSlug(slug) && isValid ? { slug, conversationId } : null;
}

/** The other person's slug, or `null` for a channel. */
export const dmSlug = (roomId: string): string | null => dmParts(roomId)?.slug ?? null;

/** Id of the conversation, or `null` for a channel or the main conversation of a direct message. */
export const conversationIdIn = (roomId: string): string | null => dmParts(roomId)?.conversationId ?? null;

/** The main conversation of the same people; a channel is its own. Rules for a person hold for all of them. */
export const mainRoom = (roomId: string): string => {
  const parts = dmParts(roomId);
  return parts === null ? roomId : dmRoomId(parts.slug);
};

/** The same conversation from the other side: there, the other person's slug is `slug`. */
export const dmRoomAcross = (roomId: string, slug: string): DmRoomId =>
  dmRoomId(slug, conversationIdIn(roomId));

export const isRoomId = (text: string): text is RoomId => isChannelId(text) || dmSlug(text) !== null;
