/**
 * Channels that this computer has known as encrypted; stored beside the registry of certificates, for all
 * accounts.
 */
export interface SealedChannels {
  sealedChannels(): readonly string[];
  /** Adds channels; no channel is ever removed. */
  keepSealed(channelIds: readonly string[]): void;
}
