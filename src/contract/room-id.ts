/**
 * Room ids of window, command line and stores: a channel by its own id, a direct message by the other
 * person's slug. A channel id starts with `ch_` and neither contains a colon, so no channel can imitate a
 * direct message.
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

export const dmRoomId = (slug: string): DmRoomId => `dm:${slug}`;

/** The other person's slug, or `null` for a channel. */
export const dmSlug = (roomId: string): string | null => {
  const slug = roomId.startsWith('dm:') ? roomId.slice('dm:'.length) : '';
  return isSlug(slug) ? slug : null;
};

export const isRoomId = (text: string): text is RoomId => isChannelId(text) || dmSlug(text) !== null;
