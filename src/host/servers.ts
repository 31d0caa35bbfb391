import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ok, type Result } from '../contract/result.ts';
import type { CryptoEngine } from '../core/ports.ts';
import { type OpenRegistryStore, openRegistryStore } from '../services/db/registry-store.ts';
import type { ListedChannel } from '../services/puffo/channel-formats.ts';
import { createServerDirectory, type ServerDirectory } from '../services/puffo/directory.ts';
import type { HostPorts } from './host-ports.ts';
import { embeddedName, type Layout } from './layout.ts';
import type { WatchStore } from './store-watch.ts';

/** One directory (connections, certificates, pins, names) per server, shared by all accounts there. */
export interface Servers {
  directory(serverUrl: string): Result<ServerDirectory>;
  /** Closes all directories; later calls open new ones. */
  stop(): void;
}

export interface ServersDeps {
  readonly ports: HostPorts;
  readonly layout: Layout;
  readonly crypto: CryptoEngine;
  readonly watchStore: WatchStore;
  /** The key of an encrypted store, created on first use. */
  storeKey(path: string): Result<Uint8Array>;
  isEmbedded(serverUrl: string): boolean;
  /** A server calls a channel unencrypted although this computer knows it as encrypted, or stops doing so. */
  onDispute(channel: ListedChannel, open: boolean): void;
}

export function createServers(deps: ServersDeps): Servers {
  const { clock, log } = deps.ports;
  const open = new Map<string, { directory: ServerDirectory; store: OpenRegistryStore }>();

  // The embedded relay keeps its pins when its port changes.
  const nameOf = (url: string): string =>
    deps.isEmbedded(url) ? embeddedName : createHash('sha256').update(url).digest('hex').slice(0, 24);

  return {
    directory(serverUrl) {
      const url = serverUrl.replace(/\/+$/, '');
      const known = open.get(url);
      if (known) return ok(known.directory);
      const path = join(deps.layout.registry, `${nameOf(url)}.db`);
      const key = deps.storeKey(path);
      if (!key.ok) return key;
      const store = openRegistryStore({
        path,
        key: key.value,
        clock,
        log,
        ...deps.watchStore(`the known keys of ${url}`),
      });
      const directory = createServerDirectory({
        serverUrl: url,
        registryStore: store,
        crypto: deps.crypto,
        clock,
        log,
        onDispute: deps.onDispute,
      });
      open.set(url, { directory, store });
      return ok(directory);
    },
    stop() {
      for (const { directory, store } of open.values()) {
        directory.stop();
        store.release();
      }
      open.clear();
    },
  };
}
