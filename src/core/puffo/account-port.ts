/** An account's connection, as its worker sees it. */
import type { NamedMember } from '../../contract/mentions.ts';
import type { PersonProfile } from './registry-store.ts';

export type AccountStatus =
  | { readonly status: 'idle' }
  | { readonly status: 'busy'; readonly messageId: string }
  | { readonly status: 'error'; readonly errorText: string };

export interface ProcessingRun {
  readonly runId: string;
  readonly messageId: string;
  readonly succeeded: boolean;
  readonly errorText?: string;
}

export interface AccountPort {
  readonly slug: string;
  readonly rootPublicKey: string;
  /** Signals new rows in the outbox. */
  kickOutbox(): void;
  /** Cached names; falls back to the slug. Never fails. */
  person(slug: string): Promise<PersonProfile>;
  spaceName(spaceId: string): string;
  channelName(channelId: string): string;
  /** Known members of a channel with their names; empty if none are known. The server claims them. */
  members(channelId: string): readonly NamedMember[];
  /** Best effort; never blocks or fails a reply (spec §6.5). */
  setStatus(status: AccountStatus): void;
  processingStarted(run: { readonly runId: string; readonly messageId: string }): void;
  processingEnded(runs: readonly ProcessingRun[]): void;
}
