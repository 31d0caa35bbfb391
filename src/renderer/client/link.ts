/** Host client with the state of its connection, independent of the transport. */
import type { HostClient } from '../../contract/host-api.ts';
import type { Result } from '../../contract/result.ts';

/**
 * `signedOut`: the browser session ended and needs a new one-time link. `locked`: the owner has to unlock the
 * page.
 */
export type LinkState = 'connecting' | 'up' | 'lost' | 'signedOut' | 'locked';

export interface HostLink extends HostClient {
  /** Calls the listener at once with the current state, then on every change. */
  onState(listener: (state: LinkState) => void): () => void;
  /** Ends this browser's session; absent in the desktop app. */
  readonly signOut?: () => void;
  /** Opens a locked page; resolves to an error if this is not the passphrase. */
  unlock(passphrase: string): Promise<Result<unknown>>;
}

/** A browser locks all browser pages, the app its own windows. */
export const lockMethod = ({ signOut }: HostLink): 'desktop.lock' | 'host.lock' =>
  signOut === undefined ? 'desktop.lock' : 'host.lock';
