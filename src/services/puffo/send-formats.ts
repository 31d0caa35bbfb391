/**
 * In which form a channel's messages go out (spec §11.1): sealed, unless the server has called the channel plaintext
 * and this computer has never known it as encrypted. Unknown means sealed.
 */
import { ok, type Result } from '../../contract/result.ts';
import type { ChannelFormats } from './channel-formats.ts';
import type { RequestError } from './request-error.ts';
import type { Rooms } from './rooms.ts';

export type SendFormat = 'sealed' | 'plain';

export interface SendFormats {
  of(channelId: string | null): SendFormat;
  /** The server disagrees: what it says now. */
  reread(channelId: string): Promise<Result<SendFormat, RequestError>>;
  /** It is shown as encrypted, the server having listed it without a word about that. */
  shownSealed(channelId: string): boolean;
  /** The server calls it plaintext against what is known here. */
  disputed(channelId: string): boolean;
  /** A sealed message was taken there. */
  sealedTaken(channelId: string): void;
}

export function createSendFormats(
  known: ChannelFormats,
  rooms: Pick<Rooms, 'encrypted' | 'refresh' | 'snapshot'>,
): SendFormats {
  const of = (channelId: string | null): SendFormat =>
    channelId !== null && rooms.encrypted(channelId) === false && !known.isSealed(channelId)
      ? 'plain'
      : 'sealed';
  return {
    of,
    async reread(channelId) {
      const read = await rooms.refresh();
      return read.ok ? ok(of(channelId)) : read;
    },
    shownSealed: (channelId) =>
      of(channelId) === 'sealed' && rooms.snapshot().channels.some(({ id }) => id === channelId),
    disputed: (channelId) => rooms.encrypted(channelId) === false && known.isSealed(channelId),
    sealedTaken: (channelId) => known.keepSealed(channelId),
  };
}
