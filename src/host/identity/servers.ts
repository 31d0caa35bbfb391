import { join } from 'node:path';
import { ok, type Result } from '../../contract/result.ts';
import type { Clock, CryptoEngine, Log } from '../../core/ports.ts';
import { say } from '../../language/say.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import { type OpenRegistryStore, openRegistryStore } from '../../services/db/registry-store.ts';
import type { ListedChannel } from '../../services/puffo/channel-formats.ts';
import { createServerDirectory, type ServerDirectory } from '../../services/puffo/directory.ts';
import { embeddedName, type Layout } from '../layout.ts';
import type { WatchStore } from '../stores/store-watch.ts';

/** One directory (connections, certificates, pins, names) per server, shared by all accounts there. */
export interface Servers {
  directory(serverUrl: string): Result<ServerDirectory>;
  /** Closes all directories; later calls open new ones. */
  stop(): void;
}

export interface RegistryStoreDeps {
  readonly layout: Layout;
  readonly clock: Clock;
  readonly log: Log;
  readonly watchStore: WatchStore;
  /** The key of an encrypted store, created on first use. */
  storeKey(path: string): Result<Uint8Array>;
  isEmbedded(serverUrl: string): boolean;
}

export type OpenServerStore = (serverUrl: string) => Result<OpenRegistryStore>;

/** Opens the store of the keys and names that are known of one server. */
export function createServerStores(deps: RegistryStoreDeps): OpenServerStore {
  const { layout, clock, log, watchStore } = deps;
  // The embedded relay keeps its pins when its port changes.
  const nameOf = (url: string): string => (deps.isEmbedded(url) ? embeddedName : sha256Hex(url).slice(0, 24));
  return (url) => {
    const path = join(layout.registry, `${nameOf(url)}.db`);
    const key = deps.storeKey(path);
    if (!key.ok) return key;
    const watch = watchStore(say('storage.knownKeys', { url }));
    return ok(openRegistryStore({ path, key: key.value, clock, log, ...watch }));
  };
}

export interface ServersDeps {
  readonly openStore: OpenServerStore;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly log: Log;
  /** A server calls a channel unencrypted although this computer knows it as encrypted, or stops doing so. */
  onDispute(channel: ListedChannel, open: boolean): void;
}

export function createServers({ openStore, crypto, clock, log, onDispute }: ServersDeps): Servers {
  const open = new Map<string, { directory: ServerDirectory; store: OpenRegistryStore }>();

  return {
    directory(serverUrl) {
      const url = serverUrl.replace(/\/+$/, '');
      const known = open.get(url);
      if (known) return ok(known.directory);
      const opened = openStore(url);
      if (!opened.ok) return opened;
      const store = opened.value;
      const directory = createServerDirectory({
        serverUrl: url,
        registryStore: store,
        crypto,
        clock,
        log,
        onDispute,
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
