/** A host client plus the state of the line it talks over, whichever transport that is. */
import type { HostClient } from '../../contract/host-api.ts';
import { bridgeOf } from './bridge.ts';

/** `signedOut`: a browser whose session ended; only a new one-time link helps. `locked`: until the owner unlocks the page. */
export type LinkState = 'connecting' | 'up' | 'lost' | 'signedOut' | 'locked';

export interface HostLink extends HostClient {
  /** Called at once with the present state, then on every change. */
  onState(listener: (state: LinkState) => void): () => void;
  /** Ends this browser's session; absent in the app's own window. */
  readonly signOut?: () => void;
}

/** Only a browser needs the line with its schemas. */
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
