import { bridgeOf } from './bridge.ts';
import type { HostLink } from './link.ts';

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
  const lock = await bridge.call('desktop.lockState', {});
  const state = lock.ok && lock.value.isLocked ? 'locked' : 'up';
  return {
    call: (method, input) => bridge.call(method, input),
    subscribe: (topic, sink) => bridge.subscribe(topic, sink),
    // The app reloads the page at a lock and at an unlock.
    unlock: (passphrase) => bridge.call('desktop.unlock', { passphrase }),
    onState: (listener) => {
      listener(state);
      return () => undefined;
    },
  };
}
