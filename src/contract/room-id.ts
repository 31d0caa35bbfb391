/**
 * The id of a room, as window, command line and stores name it: a channel by its own id, a direct message by the slug of
 * the other side. A channel id begins with `ch_` and neither holds a colon, so that no channel can pass for a direct message.
 */
export type SpaceId = `sp_${string}`;
export type ChannelId = `ch_${string}`;
export type DmRoomId = `dm:${string}`;
export type RoomId = ChannelId | DmRoomId;

/** A name that may become part of a file name or a command: one component, no leading dot, at most 200 characters. */
export const isSlug = (text: string): boolean => /^[a-zA-Z0-9_][\w.@-]{0,199}$/.test(text);

export const isSpaceId = (text: unknown): text is SpaceId =>
  typeof text === 'string' && /^sp_[A-Za-z0-9_-]{1,128}$/.test(text);

/** A UUID with a prefix in the protocol; 1 to 128 of the base64url characters here, for servers that count otherwise. */
export const isChannelId = (text: unknown): text is ChannelId =>
  typeof text === 'string' && /^ch_[A-Za-z0-9_-]{1,128}$/.test(text);

export const dmRoomId = (slug: string): DmRoomId => `dm:${slug}`;

/** The slug of the other side, or `null` if the room is no direct message. */
export const dmSlug = (roomId: string): string | null => {
  const slug = roomId.startsWith('dm:') ? roomId.slice('dm:'.length) : '';
  return isSlug(slug) ? slug : null;
};

export const isRoomId = (text: string): text is RoomId => isChannelId(text) || dmSlug(text) !== null;
