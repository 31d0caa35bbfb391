/**
 * Host client over IPC, exposed by the window's preload script. Browsers have no bridge and use WebSocket.
 */
import type { HostClient } from '../../contract/host-api.ts';
import type { PageBridge } from '../../contract/ipc-channels.ts';
import type { FeedEvent } from '../../contract/patch.ts';

declare global {
  interface Window {
    readonly kennel?: PageBridge;
  }
}

/** Returns `null` in a browser. */
export function bridgeOf({ kennel }: Window): HostClient | null {
  if (kennel === undefined) return null;
  return {
    call: async (method, input) => JSON.parse(await kennel.call(method, input)),
    subscribe: (topic, sink) => kennel.subscribe(topic, (text) => sink(JSON.parse(text) as FeedEvent)),
  };
}
