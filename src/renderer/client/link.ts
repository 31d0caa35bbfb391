/** Host client with the state of its connection, independent of the transport. */
import type { HostClient } from '../../contract/host-api.ts';
import { bridgeOf } from './bridge.ts';

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
}

/** Loaded on demand, because only a browser needs the WebSocket client with its schemas. */
export async function openLink(page: Window): Promise<HostLink> {
  const bridge = bridgeOf(page);
  if (bridge === null) {
    const { createWsClient } = await import('./ws-client.ts');
    const { openPageSession } = await import('./page-session.ts');
    const scheme = page.location.protocol === 'https:' ? 'wss' : 'ws';
    return createWsClient({
      url: `${scheme}://${page.location.host}/ws`,
      session: openPageSession(page),
      page,
    });
  }
  return {
    call: (method, input) => bridge.call(method, input),
    subscribe: (topic, sink) => bridge.subscribe(topic, sink),
    onState: (listener) => {
      listener('up');
      return () => undefined;
    },
  };
}
