import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from '../../contract/result.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { Clock, DiskPort, Log } from '../../core/ports.ts';
import { say } from '../../language/say.ts';
import type { UsageStore } from '../../services/db/usage-store.ts';
import { eraseStore } from '../stores/erase-store.ts';
import type { WatchStore } from '../stores/store-watch.ts';
import type { AccountKeys } from '../vault/account-keys.ts';
import type { LedgerDeps } from './ledger.ts';

export interface UsageFileDeps {
  readonly home: string;
  readonly disk: DiskPort;
  readonly clock: Clock;
  readonly log: Log;
  readonly watchStore: WatchStore;
}

/** The store of what agents used. Created on first use: a host that never asked a model has none. */
export interface UsageFile extends LedgerDeps {
  open(storeKey: AccountKeys['storeKey']): Promise<void>;
  close(): void;
  /** Closes and deletes it. */
  erase(): Result<void>;
}

export function createUsageFile({ home, disk, clock, log, watchStore }: UsageFileDeps): UsageFile {
  const path = join(home, 'usage.db');
  let make: (() => UsageStore) | null = null;
  let store: UsageStore | null = null;
  const close = (): void => {
    store?.release();
    store = null;
    make = null;
  };
  return {
    exists: () => existsSync(path),
    onFault: ({ code, message }) => log.warn('usage_not_saved', { code, message }),
    async open(storeKey) {
      if (make) return;
      const { openUsageStore } = await import('../../services/db/usage-store.ts');
      make = () => {
        const key = storeKey(path);
        if (!key.ok)
          throw new StoreError(key.error.code === 'corrupt' ? 'locked' : 'io_error', key.error.message);
        return openUsageStore({ path, key: key.value, clock, log, ...watchStore(say('storage.agentUsage')) });
      };
    },
    store() {
      store ??= make?.() ?? null;
      return store;
    },
    close,
    erase() {
      close();
      return eraseStore(disk, path);
    },
  };
}
