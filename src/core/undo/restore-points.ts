/**
 * Restore points of the changes that agents make to files. It promises that the state before a call is
 * durable before the call runs, that a revert changes nothing that differs from what was shown, and that an
 * interrupted call or revert is settled at the next start (F1).
 */
import { messageOf } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { HostText } from '../../language/host-message.ts';
import { orStoreError, StoreError } from '../lib/store-error.ts';
import type { Clock, Log } from '../ports.ts';
import {
  compareSnapshots,
  type Gap,
  gapsOf,
  type PathChange,
  type Snapshot,
  sameState,
  stateAt,
} from './path-state.ts';
import { inOrder, netChanges, planRevert, type RevertItem } from './plan-revert.ts';
import type { PointEnd, PointOrigin, RestorePoint, RestoreStore, SnapshotPort } from './snapshot-port.ts';

/** ms that a restore point is kept. */
const keptMs = 30 * 86_400_000;
/** Bytes of contents that are kept; beyond that the oldest points are removed. */
export const keptBytes = 1024 * 1024 * 1024;
/** Bytes added until the next clean-up. */
const collectAfter = keptBytes / 4;
/** Most paths that a point lists as not covered. */
const maxGaps = 50;

export interface RestorePointsDeps {
  readonly snapshots: SnapshotPort;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
  readonly log: Log;
}

export interface CallToCover extends PointOrigin {
  readonly paths: readonly string[];
  readonly gaps: readonly Gap[];
}

/** Handle of a call whose state before is durable. */
export interface BegunPoint {
  /** Records what the call changed; the point's id, or `null` if it changed nothing. */
  end(): Promise<string | null>;
}

export interface RevertRequest {
  /** Empty if a snapshot is restored. */
  readonly points: readonly RestorePoint[];
  /** The agent and turn of the changes; those of the newest point by default. */
  readonly origin?: Pick<PointOrigin, 'agentId' | 'turnId' | 'threadKey'>;
  /** Treatment of paths that changed since. */
  readonly changed: 'keep' | 'restore';
  readonly title: HostText;
  /** Identifies the request, if it may come twice. */
  readonly callId?: string;
  /** Runs before the revert is durable, so that no start finishes one without it; an error stops the revert. */
  readonly audit: (id: string) => Promise<Result<void>>;
}

export interface RevertResult {
  readonly id: string;
  readonly restored: readonly string[];
  readonly kept: readonly string[];
}

export interface RestorePoints {
  begin(call: CallToCover, signal: AbortSignal): Promise<Result<BegunPoint>>;
  /** Plan of a revert of these points, from the files as they are now. */
  plan(points: readonly RestorePoint[]): Promise<Result<readonly RevertItem[]>>;
  revert(items: readonly RevertItem[], request: RevertRequest): Promise<Result<RevertResult>>;
  /** Settles the calls and reverts that a crash interrupted. */
  recover(): Promise<void>;
  /** Removes what is too old or too much; nothing while a call begins. Throws `StoreError`. */
  collect(): void;
  /** Does the work while nothing is collected, so that contents stored meanwhile stay until something needs them. */
  holding<T>(work: () => Promise<T>): Promise<T>;
}

const fewGaps = (gaps: readonly Gap[]): readonly Gap[] => gaps.slice(0, maxGaps);

export function createRestorePoints(deps: RestorePointsDeps, store: RestoreStore): RestorePoints {
  const { snapshots, clock, newId, log } = deps;

  /** Snapshots before a call that is not stored yet, so that their contents have no point that needs them. */
  let begins = 0;
  /** Ends that could not be stored. */
  const owed = new Map<string, PointEnd>();

  const endOwed = (): void => {
    for (const [id, end] of owed) {
      store.end(id, end);
      owed.delete(id);
    }
  };

  const collect = (): void => {
    if (begins === 0) store.collect({ olderThan: clock.now() - keptMs, maxBytes: keptBytes });
  };

  /** The state before, durable under the id. */
  const beginAs = async (id: string, call: CallToCover, signal: AbortSignal): Promise<Result<Snapshot>> => {
    for (const isAgain of [false, true]) {
      if (isAgain) snapshots.forget();
      const before = await snapshots.take(call.paths, 'tree', store, signal);
      if (!before.ok) return before;
      const gaps = fewGaps([...call.gaps, ...gapsOf(before.value)]);
      if (store.begin({ ...call, id, at: clock.now(), gaps, undoes: [], plan: [] }, before.value))
        return before;
    }
    return err(fail('io_error', 'undo.contentNotStored', {}));
  };

  const end = async (id: string, call: CallToCover, before: Snapshot): Promise<string | null> => {
    const after = await snapshots.take(call.paths, 'tree', store);
    if (!after.ok) throw new StoreError('io_error', messageOf(after.error));
    const changes = compareSnapshots(before, after.value);
    owed.set(id, { at: clock.now(), changes, gaps: fewGaps([...call.gaps, ...gapsOf(before, after.value)]) });
    endOwed();
    if (store.added > collectAfter) collect();
    return changes.length > 0 ? id : null;
  };

  const holding: RestorePoints['holding'] = async (work) => {
    begins += 1;
    try {
      return await work();
    } finally {
      begins -= 1;
    }
  };

  const begin: RestorePoints['begin'] = (call, signal) =>
    orStoreError(() =>
      holding(async () => {
        endOwed();
        const id = newId();
        const before = await beginAs(id, call, signal);
        return before.ok ? ok({ end: () => end(id, call, before.value) }) : before;
      }),
    );

  const plan: RestorePoints['plan'] = (points) =>
    orStoreError(async () => {
      endOwed();
      const net = netChanges(points);
      const now = await snapshots.take(
        net.map(({ path }) => path),
        'self',
        store,
      );
      return now.ok ? ok(planRevert(net, now.value)) : now;
    });

  /** Carries out a stored plan; a path that is not as planned any more is kept. */
  const carryOut = async (id: string, planned: readonly PathChange[]): Promise<RevertResult> => {
    const restored = new Set<string>();
    const kept = new Set<string>();
    for (const change of planned) {
      const done = await snapshots.put(change, store);
      if (!done.ok) log.warn('undo_path_failed', { path: change.path, code: done.error.code });
      if (done.ok && done.value === 'done') restored.add(change.path);
      else kept.add(change.path);
    }
    const now = await snapshots.take(
      planned.map(({ path }) => path),
      'self',
      store,
    );
    if (!now.ok) throw new StoreError('io_error', messageOf(now.error));
    const changes = netChanges([{ changes: planned }])
      .filter(({ path }) => restored.has(path))
      .map(({ path, before }) => ({ path, before, after: stateAt(now.value, path) }))
      .filter(({ before, after }) => !sameState(before, after));
    store.end(id, { at: clock.now(), changes, gaps: gapsOf(now.value), kept: [...kept] });
    return { id, restored: [...restored], kept: [...kept] };
  };

  const revert: RestorePoints['revert'] = async (items, request) => {
    const { points, changed, title, callId = '', audit } = request;
    const isWanted = ({ state }: RevertItem): boolean =>
      state === 'ready' || (state === 'changed' && changed === 'restore');
    const wanted = items.filter(isWanted);
    const newest = request.origin ?? points.at(-1);
    if (wanted.length === 0 || !newest) return err(fail('conflict', 'undo.nothingToRestore'));
    const planned = inOrder(wanted.map(({ change }) => change));
    const left = items.filter((item) => !isWanted(item) && item.state !== 'restored');
    const undecided = new Set(left.filter(({ state }) => state === 'changed').map(({ made }) => made.path));
    const undoes = points.filter(({ changes }) => !changes.some(({ path }) => undecided.has(path)));
    const id = newId();
    const { agentId, turnId, threadKey } = newest;
    return orStoreError(async () => {
      const noted = await audit(id);
      if (!noted.ok) return noted;
      const begun = store.begin(
        {
          id,
          agentId,
          turnId,
          threadKey,
          callId,
          tool: 'undo',
          title,
          at: clock.now(),
          paths: wanted.map(({ change }) => change.path),
          gaps: [],
          undoes: undoes.map((point) => point.id),
          plan: planned,
        },
        new Map(wanted.map(({ change: { path, before } }) => [path, before])),
      );
      if (!begun) {
        snapshots.forget();
        return err(fail('conflict', 'undo.changedSinceShown', {}, { help: 'undo.lookAgain' }));
      }
      const done = await carryOut(id, planned);
      return ok({ ...done, kept: [...done.kept, ...left.map(({ made }) => made.path)] });
    });
  };

  const recover = async (): Promise<void> => {
    for (const { point, before } of store.open()) {
      if (point.plan.length > 0) {
        await carryOut(point.id, point.plan);
        continue;
      }
      const after = await snapshots.take(point.paths, 'tree', store);
      if (!after.ok) continue;
      const changes = compareSnapshots(before, after.value);
      store.end(point.id, { at: clock.now(), changes, gaps: point.gaps, interrupted: true });
    }
    collect();
  };
  return { begin, plan, revert, recover, collect, holding };
}
