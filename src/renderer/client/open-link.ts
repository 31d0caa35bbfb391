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
  return {
    call: (method, input) => bridge.call(method, input),
    subscribe: (topic, sink) => bridge.subscribe(topic, sink),
    onState: (listener) => {
      listener('up');
      return () => undefined;
    },
  };
}
