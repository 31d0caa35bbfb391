/**
 * Tracks which channels are encrypted, for all accounts of a server (spec §11.1). A channel that this
 * computer once knew as encrypted stays so: whatever the server claims later, nothing is sent there in
 * plaintext, and the dispute is reported.
 */
import type { SealedChannels } from '../../core/puffo/registry-store.ts';

export interface ListedChannel {
  readonly id: string;
  readonly name: string;
  /** The server's claim, or `null` if it makes none. */
  readonly encrypted: boolean | null;
}

export interface ChannelFormats {
  /** Records a channel list of the server: channels it calls encrypted are remembered as such. */
  listed(channels: readonly ListedChannel[]): void;
  /** Marks a channel as encrypted: created so here, or the server accepted encrypted messages in it. */
  keepSealed(channelId: string): void;
  isSealed(channelId: string): boolean;
}

export interface ChannelFormatsDeps {
  readonly store: SealedChannels;
  /**
   * Called at each change if the server calls a channel plaintext that is known as encrypted, or no longer
   * does.
   */
  onDispute(channel: ListedChannel, open: boolean): void;
}

export function createChannelFormats({ store, onDispute }: ChannelFormatsDeps): ChannelFormats {
  let known: Set<string> | null = null;
  const disputed = new Set<string>();
  const sealed = (): Set<string> => {
    known ??= new Set(store.sealedChannels());
    return known;
  };
  const keep = (channelIds: readonly string[]): void => {
    const fresh = channelIds.filter((channelId) => !sealed().has(channelId));
    if (fresh.length === 0) return;
    store.keepSealed(fresh);
    for (const channelId of fresh) sealed().add(channelId);
  };
  return {
    listed(channels) {
      keep(channels.filter(({ encrypted }) => encrypted === true).map(({ id }) => id));
      for (const channel of channels) {
        const open = channel.encrypted === false && sealed().has(channel.id);
        if (open === disputed.has(channel.id)) continue;
        if (open) disputed.add(channel.id);
        else disputed.delete(channel.id);
        onDispute(channel, open);
      }
    },
    keepSealed: (channelId) => keep([channelId]),
    isSealed: (channelId) => sealed().has(channelId),
  };
}
