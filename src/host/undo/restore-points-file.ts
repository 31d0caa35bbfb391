import { existsSync } from 'node:fs';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { OpenOnce } from '../../core/lib/open-once.ts';
import { orStoreError, StoreError } from '../../core/lib/store-error.ts';
import { isInside } from '../../core/policy/paths.ts';
import type { Clock, DiskPort, Log, Random, Timer } from '../../core/ports.ts';
import type { CallToCover, RestorePoints } from '../../core/undo/restore-points.ts';
import type { RestoreStore } from '../../core/undo/snapshot-port.ts';
import type { WorkspaceSnapshots } from '../../core/undo/workspace-snapshots.ts';
import { say } from '../../language/say.ts';
import { eraseStore } from '../stores/erase-store.ts';
import type { WatchStore } from '../stores/store-watch.ts';

export interface RestorePointsFileDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly disk: Pick<DiskPort, 'remove'>;
  readonly watchStore: WatchStore;
  /** `path` of the store, the key of the open vault for it, and the real path of an agent's workspace, or `null`. */
  readonly place: {
    readonly path: string;
    workspace(agentId: string): string | null;
    isAgent(agentId: string): boolean;
    key(path: string): Promise<Result<Uint8Array>>;
  };
}

export interface OpenRestorePoints {
  /** The first change of each turn is preceded by a snapshot of the agent's workspace. */
  readonly points: RestorePoints;
  readonly snapshots: WorkspaceSnapshots;
  readonly store: RestoreStore;
}

/** The encrypted store of restore points; created with the first change of an agent. */
export interface RestorePointsFile {
  /** False if no restore point was ever stored. */
  exists(): boolean;
  open(): Promise<Result<OpenRestorePoints>>;
  stop(): void;
  erase(): Result<void>;
}

/** ms between two clean-ups. */
const collectMs = 6 * 3_600_000;

export function createRestorePointsFile(deps: RestorePointsFileDeps): RestorePointsFile {
  const { clock, disk, place } = deps;
  /** Kept if its recovery failed, so that its store notices the end of a disk fault. */
  let recovering: OpenRestorePoints | null = null;
  let isStopped = false;
  let collection: Timer | null = null;
  const collectLater = (): void => {
    collection = clock.after(
      collectMs,
      () => {
        if (!opened.value) return;
        const { store, points } = opened.value;
        tidy(() => store.removeOfOthers(place.isAgent), deps.log);
        tidy(() => points.collect(), deps.log);
        collectLater();
      },
      { unref: true },
    );
  };
  const opened = new OpenOnce<OpenRestorePoints>((made) => {
    // The file was closed meanwhile, so its store is released.
    if (recovering !== made) opened.clear();
    else {
      tidy(() => made.store.removeOfOthers(place.isAgent), deps.log);
      collectLater();
    }
    recovering = null;
  });
  const open = async (): Promise<Result<OpenRestorePoints>> => {
    const made = recovering ? ok(recovering) : await make(deps);
    if (!made.ok) return made;
    const { points, store } = made.value;
    if (isStopped) {
      store.release();
      return err(fail('cancelled', 'undo.cancelledBeforeStart'));
    }
    recovering = made.value;
    const recovered = await orStoreError(async () => ok(await points.recover()));
    if (!recovered.ok) return recovered;
    if (recovering !== made.value) return err(fail('cancelled', 'undo.cancelledBeforeStart'));
    return made;
  };
  const close = (): void => {
    collection?.cancel();
    opened.clear()?.store.release();
    recovering?.store.release();
    recovering = null;
  };
  return {
    exists: () => opened.value !== null || existsSync(place.path),
    open: () => opened.open(open),
    stop() {
      isStopped = true;
      close();
    },
    erase() {
      close();
      return eraseStore(disk, place.path);
    },
  };
}

function tidy(work: () => unknown, log: Log): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    log.warn('restore_points_not_collected', { code: error.code });
  }
}

async function make(deps: RestorePointsFileDeps): Promise<Result<OpenRestorePoints>> {
  const { clock, random, log, watchStore, place } = deps;
  const key = await place.key(place.path);
  if (!key.ok) return key;
  const [{ openRestoreStore }, { createSnapshots }, { createRestorePoints }, { createWorkspaceSnapshots }] =
    await Promise.all([
      import('../../services/db/restore-store.ts'),
      import('../../services/tools/snapshots/snapshots.ts'),
      import('../../core/undo/restore-points.ts'),
      import('../../core/undo/workspace-snapshots.ts'),
    ]);
  const store = openRestoreStore({
    path: place.path,
    key: key.value,
    clock,
    log,
    ...watchStore(say('storage.agentChanges')),
  });
  const files = createSnapshots();
  const newId = (kind: 'undo' | 'snap') => (): string =>
    `${kind}_${random.uuid().replaceAll('-', '').slice(0, 16)}`;
  const points = createRestorePoints({ snapshots: files, clock, newId: newId('undo'), log }, store);
  const snapshots = createWorkspaceSnapshots({
    snapshots: files,
    store,
    points,
    clock,
    newId: newId('snap'),
  });
  const keepTurn = async (call: CallToCover, signal: AbortSignal): Promise<void> => {
    const root = place.workspace(call.agentId);
    if (root === null || !call.paths.some((path) => isInside(root, path))) return;
    const kept = await snapshots.beforeTurn(call, root, signal);
    // The call's own restore point decides whether it runs.
    if (!kept.ok) log.warn('turn_snapshot_failed', { agentId: call.agentId, code: kept.error.code });
  };
  const begin: RestorePoints['begin'] = async (call, signal) => {
    await keepTurn(call, signal);
    return points.begin(call, signal);
  };
  return ok({ store, snapshots, points: { ...points, begin } });
}
