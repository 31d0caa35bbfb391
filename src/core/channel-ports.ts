/** Which channels a computer has known as encrypted; kept beside the registry of certificates, for all its accounts. */
export interface SealedChannels {
  sealedChannels(): readonly string[];
  /** None is ever taken out. */
  keepSealed(channelIds: readonly string[]): void;
}
