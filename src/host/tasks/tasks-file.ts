import { existsSync } from 'node:fs';
import { ok, type Result } from '../../contract/result.ts';
import type { Clock, DiskPort, Log } from '../../core/ports.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';
import { say } from '../../language/say.ts';
import { eraseStore } from '../stores/erase-store.ts';
import type { WatchStore } from '../stores/store-watch.ts';

export interface TaskStoreFileDeps {
  readonly clock: Clock;
  readonly disk: Pick<DiskPort, 'remove'>;
  readonly log: Log;
  readonly path: string;
  readonly watchStore: WatchStore;
}

/** The keys of the open vault. */
export interface StoreKeys {
  storeKey(path: string): Result<Uint8Array>;
}

/** The encrypted file of the task store. */
export interface TaskStoreFile {
  exists(): boolean;
  /** Creates the file if it is missing. */
  open(keys: StoreKeys): Promise<Result<TaskStore>>;
  erase(): Result<void>;
}

export const createTaskStoreFile = ({
  clock,
  disk,
  log,
  path,
  watchStore,
}: TaskStoreFileDeps): TaskStoreFile => ({
  exists: () => existsSync(path),
  async open(keys) {
    const { openTaskStore } = await import('../../services/db/task-store.ts');
    const key = keys.storeKey(path);
    return key.ok
      ? ok(openTaskStore({ path, key: key.value, clock, log, ...watchStore(say('storage.tasks')) }))
      : key;
  },
  erase: () => eraseStore(disk, path),
});
