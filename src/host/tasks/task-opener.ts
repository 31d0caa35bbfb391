import { err, ok, type Result } from '../../contract/result.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import { loadSandboxedGit } from '../worktrees/load-git.ts';
import type { TaskWorktreesDeps } from '../worktrees/task-worktrees.ts';
import type { TaskService, TaskServiceDeps, WorktreesOf } from './task-service.ts';
import type { StoreKeys, TaskStoreFile } from './tasks-file.ts';

/** Available while the vault is open. */
export interface TaskKeys {
  readonly keys: StoreKeys;
  readonly crypto: Pick<CryptoEngine, 'sha256'>;
}

export interface TaskOpenerDeps extends Omit<TaskServiceDeps, 'publish'> {
  readonly file: TaskStoreFile;
  readonly worktreeAgent: TaskWorktreesDeps['agent'];
}

export interface TaskOpener {
  exists(): boolean;
  /** Loads the task service and opens the store, which it creates if it is missing. */
  load(parts: TaskKeys): Promise<Result<StartTasks>>;
  erase(): Result<void>;
}

/** Starts the service at once, so that the caller misses no event between the start and its return. */
export type StartTasks = (publish: TaskServiceDeps['publish']) => Result<TaskService>;

export const createTaskOpener = ({ file, worktreeAgent, ...deps }: TaskOpenerDeps): TaskOpener => ({
  exists: file.exists,
  erase: file.erase,
  async load({ keys, crypto }) {
    const { clock, log } = deps.ports;
    const [{ TaskService }, { createTaskWorktrees }, git] = await Promise.all([
      import('./task-service.ts'),
      import('../worktrees/task-worktrees.ts'),
      loadSandboxedGit(clock),
    ]);
    const worktreesOf: WorktreesOf = (parts) =>
      createTaskWorktrees({ ...parts, git, clock, log, agent: worktreeAgent });
    const store = await file.open(keys);
    if (!store.ok) return store;
    return ok((publish) => {
      try {
        return ok(new TaskService({ ...deps, publish }, store.value, { crypto, worktreesOf }));
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        store.value.release();
        return err(error.toAppError());
      }
    });
  },
});
