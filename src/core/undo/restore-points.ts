/**
 * Restore points of the changes that agents make to files. It promises that the state before a call is
 * durable before the call runs, that a revert changes nothing that differs from what was shown, and that an
 * interrupted call or revert is settled at the next start (F1).
 */
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { StoreError } from '../lib/store-error.ts';
import type { Clock, Log } from '../ports.ts';
import { compareSnapshots, type Gap, gapsOf, type PathChange, sameState, stateOf } from './path-state.ts';
import { inOrder, netChanges, planRevert, type RevertItem } from './plan-revert.ts';
import type { PointOrigin, RestorePoint, RestoreStore, SnapshotPort } from './snapshot-port.ts';

/** ms that a restore point is kept. */
export const keptMs = 30 * 86_400_000;
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
  readonly points: readonly RestorePoint[];
  /** Treatment of paths that changed since. */
  readonly changed: 'keep' | 'restore';
  readonly title: string;
  /** Identifies the request, if it may come twice. */
  readonly callId?: string;
  /** Runs after the revert is durable and before its first effect; an error stops the revert. */
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
}

const fault = (error: unknown): Result<never> => {
  if (error instanceof StoreError) return err(error.toAppError());
  throw error;
};

const fewGaps = (gaps: readonly Gap[]): readonly Gap[] => gaps.slice(0, maxGaps);

export function createRestorePoints(deps: RestorePointsDeps, store: RestoreStore): RestorePoints {
  const { snapshots, clock, newId, log } = deps;

  const begin: RestorePoints['begin'] = async (call, signal) => {
    try {
      const before = await snapshots.take(call.paths, 'tree', store, signal);
      if (!before.ok) return before;
      const id = newId();
      const gaps = fewGaps([...call.gaps, ...gapsOf(before.value)]);
      store.begin({ ...call, id, at: clock.now(), gaps, undoes: [], plan: [] }, before.value);
      return ok({
        async end() {
          const after = await snapshots.take(call.paths, 'tree', store);
          if (!after.ok) throw new StoreError('io_error', after.error.message);
          const changes = compareSnapshots(before.value, after.value);
          const all = fewGaps([...call.gaps, ...gapsOf(before.value, after.value)]);
          store.end(id, { at: clock.now(), changes, gaps: all });
          if (store.added > collectAfter)
            store.collect({ olderThan: clock.now() - keptMs, maxBytes: keptBytes });
          return changes.length > 0 ? id : null;
        },
      });
    } catch (error) {
      return fault(error);
    }
  };

  const plan: RestorePoints['plan'] = async (points) => {
    try {
      const net = netChanges(points);
      const now = await snapshots.take(
        net.map(({ path }) => path),
        'self',
        store,
      );
      return now.ok ? ok(planRevert(net, now.value)) : now;
    } catch (error) {
      return fault(error);
    }
  };

  /** Carries out a stored plan; a path that is not as planned any more is kept. */
  const carryOut = async (id: string, planned: readonly PathChange[]): Promise<RevertResult> => {
    const restored: string[] = [];
    const kept: string[] = [];
    for (const change of planned) {
      const done = await snapshots.put(change, store);
      if (!done.ok) log.warn('undo_path_failed', { path: change.path, code: done.error.code });
      if (done.ok && done.value === 'done') restored.push(change.path);
      else kept.push(change.path);
    }
    const now = await snapshots.take(
      planned.map(({ path }) => path),
      'self',
      store,
    );
    if (!now.ok) throw new StoreError('io_error', now.error.message);
    const changes = netChanges([{ changes: planned }])
      .filter(({ path }) => restored.includes(path))
      .map(({ path, before }) => ({ path, before, after: stateOf(now.value, path) }))
      .filter(({ before, after }) => !sameState(before, after));
    store.end(id, { at: clock.now(), changes, gaps: gapsOf(now.value) });
    return { id, restored: [...new Set(restored)], kept: [...new Set(kept)] };
  };

  const revert: RestorePoints['revert'] = async (items, request) => {
    const { points, changed, title, callId = '', audit } = request;
    const wanted = items.filter(
      ({ state }) => state === 'ready' || (state === 'changed' && changed === 'restore'),
    );
    const newest = points.at(-1);
    if (wanted.length === 0 || !newest) return err(fail('conflict', 'undo.nothingToRestore'));
    const planned = inOrder(wanted.map(({ change }) => change));
    const id = newId();
    const { agentId, turnId, threadKey } = newest;
    try {
      store.begin(
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
          undoes: points.map((point) => point.id),
          plan: planned,
        },
        new Map(wanted.map(({ change: { path, before } }) => [path, before])),
      );
      const noted = await audit(id);
      if (!noted.ok) {
        store.end(id, { at: clock.now(), changes: [], gaps: [] });
        return noted;
      }
      const done = await carryOut(id, planned);
      const left = items.filter((item) => !wanted.includes(item) && item.state !== 'restored');
      return ok({ ...done, kept: [...done.kept, ...left.map(({ made }) => made.path)] });
    } catch (error) {
      return fault(error);
    }
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
      store.end(point.id, { at: clock.now(), changes, gaps: point.gaps });
    }
    store.collect({ olderThan: clock.now() - keptMs, maxBytes: keptBytes });
  };
  return { begin, plan, revert, recover };
}
