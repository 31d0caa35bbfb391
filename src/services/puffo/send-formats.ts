/**
 * The send format of a channel's messages (spec §11.1): encrypted, unless the server calls the channel
 * plaintext and this computer has never known it as encrypted. Unknown means encrypted.
 */
import { ok, type Result } from '../../contract/result.ts';
import type { ChannelFormats } from './channel-formats.ts';
import type { RequestError } from './request-error.ts';
import type { Rooms } from './rooms.ts';

export type SendFormat = 'sealed' | 'plain';

export interface SendFormats {
  of(channelId: string | null): SendFormat;
  /** Asks the server again after it disagreed with the format. */
  reread(channelId: string): Promise<Result<SendFormat, RequestError>>;
  /** True if it is shown as encrypted because the server listed it without a claim. */
  shownSealed(channelId: string): boolean;
  /** True if the server calls it plaintext although it is known as encrypted here. */
  disputed(channelId: string): boolean;
  /** Records that the server accepted an encrypted message there. */
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
