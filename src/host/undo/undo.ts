import { createHash } from 'node:crypto';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { AuditEntry } from '../../core/approvals/approval-ports.ts';
import { writeStable } from '../../core/lib/stable-json.ts';
import { orStoreError, StoreError } from '../../core/lib/store-error.ts';
import type { RevertItem } from '../../core/undo/plan-revert.ts';
import type { RevertResult } from '../../core/undo/restore-points.ts';
import type { PointQuery, RestorePoint } from '../../core/undo/snapshot-port.ts';
import { undoneNote } from './agent-notes.ts';
import type { OpenRestorePoints, RestorePointsFile } from './restore-points-file.ts';
import { revertTitle } from './undo-view.ts';

/** Most points of one turn that are reverted together. */
const mostPoints = 2_000;

export interface UndoTarget {
  readonly point: string;
  readonly whole: 'call' | 'turn';
  /** Leaves out calls that began at this time or later, in ms since the epoch. */
  readonly until?: number;
}

export interface UndoPlan {
  readonly opened: OpenRestorePoints;
  readonly point: RestorePoint;
  /** Oldest first. */
  readonly points: readonly RestorePoint[];
  readonly items: readonly RevertItem[];
  /** Covers every path with its state now. */
  readonly digest: string;
}

export interface UndoDeps {
  readonly file: Pick<RestorePointsFile, 'open' | 'exists'>;
  /** Durable before it resolves. */
  note(entry: AuditEntry): Promise<Result<void>>;
  onChanged(): void;
}

export interface UndoRequest extends UndoTarget {
  readonly digest: string;
  readonly changed: 'keep' | 'restore';
  /** Identifies the revert of a chat message; empty otherwise. */
  readonly callId?: string;
}

export interface UndoResult extends RevertResult {
  readonly agentId: string;
}

/** Reverts changes of agents for the operator. */
export interface Undo {
  /** Empty if no restore point was ever stored. */
  list(query: PointQuery): Promise<Result<readonly RestorePoint[]>>;
  plan(target: UndoTarget): Promise<Result<UndoPlan>>;
  apply(request: UndoRequest): Promise<Result<UndoResult>>;
}

export const digestOf = (items: readonly RevertItem[]): string =>
  createHash('sha256')
    .update(writeStable(items.map(({ state, change }) => [state, change])))
    .digest('base64url');

export function createUndo(deps: UndoDeps): Undo {
  const { file } = deps;
  let last: Promise<unknown> = Promise.resolve();
  const list: Undo['list'] = (query) =>
    orStoreError(async () => {
      if (!file.exists()) return ok([]);
      const opened = await file.open();
      return opened.ok ? ok(opened.value.store.list(query)) : opened;
    });
  const plan: Undo['plan'] = (target) =>
    orStoreError(async () => {
      if (!file.exists()) return err(noPoint(target.point));
      const opened = await file.open();
      return opened.ok ? planIn(opened.value, target) : opened;
    });
  const apply = async (request: UndoRequest): Promise<Result<UndoResult>> => {
    const planned = await plan(request);
    if (!planned.ok) return planned;
    if (planned.value.digest !== request.digest)
      return err(fail('conflict', 'undo.changedSinceShown', {}, { help: 'undo.lookAgain' }));
    return revert(deps, planned.value, request);
  };
  return {
    list,
    plan,
    // One after the other, so that two reverts never plan on the same state.
    apply(request) {
      const next = last.then(() => orStoreError(() => apply(request)));
      last = next.catch(() => undefined);
      return next;
    },
  };
}

const noPoint = (point: string) =>
  fail('not_found', 'undo.unknownPoint', { point }, { help: 'undo.runUndoList' });

function findPoint({ store }: OpenRestorePoints, wanted: string): Result<RestorePoint> {
  const found = [wanted, `undo_${wanted}`].flatMap((prefix) => store.list({ prefix, limit: 2 }));
  const exact = found.find(({ id }) => id === wanted);
  const [only] = found;
  if (exact) return ok(exact);
  if (!only) return err(noPoint(wanted));
  return found.length === 1 ? ok(only) : err(fail('invalid_input', 'undo.severalPoints', { point: wanted }));
}

/** The changes of the point's turn that are in force, oldest first. */
const ofTurn = (
  { store }: OpenRestorePoints,
  { agentId, turnId }: RestorePoint,
  until: number,
): readonly RestorePoint[] =>
  store
    .list({ agentId, turnId, limit: mostPoints })
    .filter(({ tool, undoneBy, endedAt }) => tool !== 'undo' && undoneBy === null && endedAt !== null)
    .filter(({ at }) => at < until)
    .reverse();

async function planIn(opened: OpenRestorePoints, target: UndoTarget): Promise<Result<UndoPlan>> {
  const found = findPoint(opened, target.point);
  if (!found.ok) return found;
  const point = found.value;
  const whole = target.whole === 'turn' && point.tool !== 'undo';
  const points = whole ? ofTurn(opened, point, target.until ?? Number.POSITIVE_INFINITY) : [point];
  if (points.length === 0 || (!whole && point.undoneBy !== null))
    return err(fail('conflict', 'undo.undoneAlready'));
  if (points.some(({ endedAt }) => endedAt === null)) return err(fail('conflict', 'undo.callStillRuns'));
  const items = await opened.points.plan(points);
  if (!items.ok) return items;
  return ok({ opened, point, points, items: items.value, digest: digestOf(items.value) });
}

async function revert(deps: UndoDeps, plan: UndoPlan, request: UndoRequest): Promise<Result<UndoResult>> {
  const { opened, point, points, items, digest } = plan;
  const { agentId } = point;
  const done = await opened.points.revert(items, {
    points,
    changed: request.changed,
    callId: request.callId ?? '',
    title: revertTitle(items),
    audit: (id) =>
      deps.note({
        kind: 'undo',
        agentId,
        tool: 'undo',
        digest,
        outcome: request.changed,
        detail: `${id} ${points.map(({ id: reverted }) => reverted).join(' ')}`.slice(0, 1_000),
      }),
  });
  if (done.ok) tellAgent(opened, done.value.id, points);
  deps.onChanged();
  return done.ok ? ok({ ...done.value, agentId }) : done;
}

/** The revert holds even if its note cannot be stored. */
function tellAgent({ store }: OpenRestorePoints, id: string, reverted: readonly RestorePoint[]): void {
  try {
    const [point] = store.list({ ids: [id], limit: 1 });
    if (!point) return;
    const isRedo = reverted.some(({ tool }) => tool === 'undo');
    for (const thread of new Set(reverted.map(({ threadKey }) => threadKey)))
      store.addNote(point.agentId, thread, undoneNote(point, isRedo));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}
