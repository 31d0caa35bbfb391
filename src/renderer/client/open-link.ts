import type { HostClient } from '../../contract/host-api.ts';
import { bridgeOf } from './bridge.ts';
import type { HostLink, LinkState } from './link.ts';

/** Interval of the check for a lost host, in ms. */
const lookMs = 3000;

async function stateNow(bridge: HostClient): Promise<LinkState> {
  const now = await bridge.call('desktop.lockState', {});
  if (!now.ok) return 'up';
  return now.value.isLocked ? 'locked' : now.value.isHostLost ? 'lost' : 'up';
}

/** Reports a host in another process that is gone, and its return. The page is reloaded at a lock. */
function watchDesktop(bridge: HostClient, page: Window, first: LinkState): HostLink['onState'] {
  return (listener) => {
    let state = first;
    listener(state);
    const look = async (): Promise<void> => {
      const now = page.document.visibilityState === 'visible' ? await stateNow(bridge) : state;
      if (now === state || now === 'locked') return;
      state = now;
      listener(now);
    };
    const timer = state === 'locked' ? undefined : page.setInterval(() => void look(), lookMs);
    return () => page.clearInterval(timer);
  };
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
  const watch = watchDesktop(bridge, page, await stateNow(bridge));
  return {
    call: (method, input) => bridge.call(method, input),
    subscribe: (topic, sink) => bridge.subscribe(topic, sink),
    // The app reloads the page at a lock and at an unlock.
    unlock: (passphrase) => bridge.call('desktop.unlock', { passphrase }),
    onState: watch,
  };
}
