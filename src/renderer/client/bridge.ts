/** What the window's preload puts on the page: a host client over IPC. A browser has none and talks WebSocket. */
import type { HostClient } from '../../contract/host-api.ts';

declare global {
  interface Window {
    readonly kennel?: HostClient;
  }
}

export const bridgeOf = (page: Window): HostClient | null => page.kennel ?? null;
