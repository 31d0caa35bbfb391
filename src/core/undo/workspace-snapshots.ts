/**
 * Snapshots of agents' workspaces, in the store of the restore points. It promises that a snapshot is stored
 * whole or not at all, that the state before a restore is a snapshot itself, and that a restore is a revert:
 * durable before it begins, finished at the next start, and itself undone by its restore point (F1).
 */
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { HostText } from '../../language/host-message.ts';
import { createSemaphore } from '../lib/semaphore.ts';
import { orStoreError } from '../lib/store-error.ts';
import type { Clock } from '../ports.ts';
import { compareSnapshots, gapsOf, type PathChange, type Snapshot } from './path-state.ts';
import type { RevertItem } from './plan-revert.ts';
import { keptBytes, type RestorePoints, type RevertRequest, type RevertResult } from './restore-points.ts';
import type {
  PointOrigin,
  RestoreStore,
  SnapshotPort,
  SnapshotQuery,
  WorkspaceSnapshot,
} from './snapshot-port.ts';

/** Most automatic snapshots of one agent; beyond that the oldest is removed. */
const mostAutomatic = 50;
/** Most snapshots of one agent that people asked for. */
const mostAsked = 100;
/** Bytes of snapshots that people asked for; the rest of the store is for restore points. */
const mostAskedBytes = (keptBytes * 3) / 4;
/** Most restore points looked at for a call that still runs. */
const mostOpen = 50;

export interface WorkspaceSnapshotsDeps {
  readonly snapshots: SnapshotPort;
  readonly store: RestoreStore;
  readonly points: Pick<RestorePoints, 'holding' | 'revert'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
}

export interface SnapshotToTake extends Pick<WorkspaceSnapshot, 'agentId' | 'reason' | 'root'> {
  readonly label?: string | null;
  readonly about?: HostText | null;
  readonly turnId?: string;
  readonly threadKey?: string;
}

export interface RestoreRequest extends Pick<RevertRequest, 'title' | 'audit'> {
  readonly snapshot: WorkspaceSnapshot;
  readonly items: readonly RevertItem[];
}

export interface RestoreResult extends RevertResult {
  /** The snapshot of the state before. */
  readonly before: WorkspaceSnapshot;
}

export interface WorkspaceSnapshots {
  take(wanted: SnapshotToTake, signal?: AbortSignal): Promise<Result<WorkspaceSnapshot>>;
  /** Takes one before the first change of a turn; `null` if the turn has one. */
  beforeTurn(call: PointOrigin, root: string, signal: AbortSignal): Promise<Result<WorkspaceSnapshot | null>>;
  list(query: SnapshotQuery): Result<readonly WorkspaceSnapshot[]>;
  /** By label, id or unique beginning of an id. */
  find(agentId: string, named: string): Result<WorkspaceSnapshot>;
  /** Changes since the snapshot, or between it and a later one; a restore takes back what is `ready`. */
  changesSince(
    snapshot: WorkspaceSnapshot,
    until: WorkspaceSnapshot | null,
  ): Promise<Result<readonly RevertItem[]>>;
  /** Paths that the snapshot does not cover. */
  gaps(snapshot: WorkspaceSnapshot): ReturnType<typeof gapsOf>;
  restore(request: RestoreRequest): Promise<Result<RestoreResult>>;
  remove(snapshot: WorkspaceSnapshot): Result<void>;
}

const unknown = (named: string) =>
  fail('not_found', 'undo.unknownSnapshot', { named }, { help: 'undo.runSnapshotList' });

function sizeOf(files: Snapshot): Pick<WorkspaceSnapshot, 'files' | 'bytes' | 'gaps'> {
  const size = { files: 0, bytes: 0, gaps: 0 };
  for (const state of files.values()) {
    if (state.kind === 'file') {
      size.files += 1;
      size.bytes += state.size;
    }
    if (state.kind === 'uncovered') size.gaps += 1;
  }
  return size;
}

const isUncovered = ({ before, after }: PathChange): boolean =>
  before.kind === 'uncovered' || after.kind === 'uncovered';

/** Folder of git that holds the path. A part of it, for example an index without its large pack, would be damaged. */
const repositoryOf = (path: string): string | null => /^.*?[\\/][.]git(?=[\\/])/.exec(path)?.[0] ?? null;

/** A restore would delete the branch or the files of a task that has an open worktree. */
const isOfWorktree = ({ made: { path } }: RevertItem): boolean =>
  /[\\/][.](?:kennel|git)[\\/]worktrees[\\/]/.test(path);

/** From the state at the snapshot to the one at `now`, as reverts. */
function itemsSince(at: Snapshot, now: Snapshot): readonly RevertItem[] {
  const changes = compareSnapshots(at, now);
  const partial = new Set(changes.filter(isUncovered).map(({ path }) => repositoryOf(path)));
  partial.delete(null);
  return changes.map((made) => {
    const { path, before, after } = made;
    const isCovered = !isUncovered(made) && !partial.has(repositoryOf(path));
    return {
      state: isCovered ? 'ready' : 'uncovered',
      made,
      change: { path, before: after, after: before },
    };
  });
}

/** The snapshot of a restore must not remove the one that is restored. */
const mostBeside = ({ reason }: Pick<SnapshotToTake, 'reason'>): number =>
  reason === 'restore' ? mostAutomatic + 1 : mostAutomatic;

export function createWorkspaceSnapshots(deps: WorkspaceSnapshotsDeps): WorkspaceSnapshots {
  const { snapshots, store, points, clock, newId } = deps;
  const lost = (): Result<never> => err(fail('io_error', 'undo.contentNotStored', {}));

  const mayAsk = ({ agentId, label, reason }: SnapshotToTake): Result<void> => {
    if (reason !== 'asked') return ok(undefined);
    const kept = store.kept({ agentId, limit: mostAsked + mostAutomatic });
    if (label && kept.some((one) => one.label === label))
      return err(fail('conflict', 'undo.labelTaken', { label }));
    if (kept.filter((one) => one.reason === 'asked').length >= mostAsked)
      return err(
        fail('too_large', 'undo.tooManySnapshots', { most: mostAsked }, { help: 'undo.removeSome' }),
      );
    return store.askedBytes() <= mostAskedBytes
      ? ok(undefined)
      : err(fail('too_large', 'undo.snapshotsFull', {}, { help: 'undo.removeSome' }));
  };

  const read = (root: string, signal?: AbortSignal): Promise<Result<Snapshot>> =>
    snapshots.take([root], 'tree', store, signal);

  /** From a folder that is missing nothing could be restored. */
  const readWorkspace = async (root: string, signal?: AbortSignal): Promise<Result<Snapshot>> => {
    const files = await read(root, signal);
    const isThere = !files.ok || files.value.get(root)?.kind === 'folder';
    return isThere ? files : err(fail('not_found', 'undo.noWorkspace'));
  };

  const take = async (wanted: SnapshotToTake, signal?: AbortSignal): Promise<Result<WorkspaceSnapshot>> => {
    const may = mayAsk(wanted);
    if (!may.ok) return may;
    return points.holding(async () => {
      for (const isAgain of [false, true]) {
        if (isAgain) snapshots.forget();
        const files = await readWorkspace(wanted.root, signal);
        if (!files.ok) return files;
        const snapshot: WorkspaceSnapshot = {
          label: null,
          about: null,
          turnId: '',
          threadKey: '',
          ...wanted,
          id: newId(),
          at: clock.now(),
          ...sizeOf(files.value),
        };
        if (store.keep(snapshot, files.value, mostBeside(wanted))) return ok(snapshot);
      }
      return lost();
    });
  };

  const hasOpenCall = (agentId: string): boolean =>
    store.list({ agentId, limit: mostOpen, mostChanges: 1 }).some(({ endedAt }) => endedAt === null);

  const changesSince: WorkspaceSnapshots['changesSince'] = (snapshot, until) =>
    orStoreError(() =>
      points.holding(async () => {
        const at = store.filesOf(snapshot.id);
        if (!at) return lost();
        const now = until === null ? await read(snapshot.root) : ok(store.filesOf(until.id));
        if (!now.ok) return now;
        return now.value ? ok(itemsSince(at, now.value)) : lost();
      }),
    );

  /** Two at once would both find the label free. */
  const oneAsked = createSemaphore(1);
  /** Snapshots of turns that are being taken, by turn: calls at the same time share one. */
  const ofTurns = new Map<string, Promise<Result<WorkspaceSnapshot | null>>>();

  return {
    take: (wanted, signal) =>
      orStoreError(() =>
        wanted.reason === 'asked' ? oneAsked(() => take(wanted, signal)) : take(wanted, signal),
      ),
    beforeTurn({ agentId, turnId, threadKey, title }, root, signal) {
      const key = JSON.stringify([agentId, turnId]);
      const running = ofTurns.get(key);
      if (running) return running;
      const taken = orStoreError(async () => {
        if (store.kept({ agentId, turnId, limit: 1 }).length > 0) return ok(null);
        return take({ agentId, turnId, threadKey, about: title, reason: 'turn', root }, signal);
      }).finally(() => ofTurns.delete(key));
      ofTurns.set(key, taken);
      return taken;
    },
    list: (query) => ok(store.kept(query)),
    find(agentId, named) {
      const found = store.kept({ agentId, named, limit: 3 });
      const exact = found.find(({ id, label }) => id === named || label === named);
      const [only] = found;
      if (exact) return ok(exact);
      if (!only) return err(unknown(named));
      return found.length === 1 ? ok(only) : err(fail('invalid_input', 'undo.severalSnapshots', { named }));
    },
    changesSince,
    gaps(snapshot) {
      const files = store.filesOf(snapshot.id);
      return files ? gapsOf(files) : [];
    },
    restore: ({ snapshot, items, title, audit }) =>
      orStoreError(async () => {
        const { agentId, root } = snapshot;
        if (hasOpenCall(agentId)) return err(fail('conflict', 'undo.callStillRuns'));
        if (items.some(isOfWorktree)) return err(fail('conflict', 'undo.worktreeOpen'));
        if (!items.some(({ state }) => state === 'ready'))
          return err(fail('conflict', 'undo.nothingToRestore'));
        return points.holding(async () => {
          const before = await take({ agentId, root, reason: 'restore', about: title });
          if (!before.ok) return before;
          // A call may have begun in the meantime.
          if (hasOpenCall(agentId)) return err(fail('conflict', 'undo.callStillRuns'));
          const origin = { agentId, turnId: before.value.id, threadKey: '' };
          const done = await points.revert(items, { points: [], origin, changed: 'keep', title, audit });
          return done.ok ? ok({ ...done.value, before: before.value }) : done;
        });
      }),
    remove(snapshot) {
      store.removeSnapshot(snapshot.id);
      return ok(undefined);
    },
  };
}
