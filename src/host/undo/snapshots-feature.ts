import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { AuditEntry } from '../../core/approvals/approval-ports.ts';
import { orStoreError, StoreError } from '../../core/lib/store-error.ts';
import type { RevertItem } from '../../core/undo/plan-revert.ts';
import type { SnapshotQuery, WorkspaceSnapshot } from '../../core/undo/snapshot-port.ts';
import type { RestoreResult } from '../../core/undo/workspace-snapshots.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { restoredNote } from './agent-notes.ts';
import type { OpenRestorePoints, RestorePointsFile } from './restore-points-file.ts';
import { digestOf } from './undo.ts';
import type { ReadContent } from './undo-view.ts';

/** Most restore points looked at for the conversations that a restore concerns. */
const mostPoints = 2_000;

export interface SnapshotsFeatureDeps {
  readonly file: Pick<RestorePointsFile, 'open' | 'exists'>;
  /** Durable before it resolves. */
  note(entry: AuditEntry): Promise<Result<void>>;
  /** Real path of the agent's workspace, or `null`. */
  workspace(agentId: string): string | null;
  onChanged(): void;
}

export interface SnapshotChanges {
  readonly snapshot: WorkspaceSnapshot;
  readonly items: readonly RevertItem[];
  /** Paths that the snapshot does not cover. */
  readonly gaps: ReturnType<OpenRestorePoints['snapshots']['gaps']>;
  /** Covers every path with its state now. */
  readonly digest: string;
  readonly read: ReadContent;
}

/** Snapshots of agents' workspaces for the operator. */
export interface SnapshotsFeature {
  create(agentId: string, label: string | null): Promise<Result<Pick<SnapshotChanges, 'snapshot' | 'gaps'>>>;
  /** Empty if nothing was ever stored. */
  list(query: SnapshotQuery): Promise<Result<readonly WorkspaceSnapshot[]>>;
  changes(agentId: string, named: string, until: string | null): Promise<Result<SnapshotChanges>>;
  restore(
    agentId: string,
    named: string,
    digest: string,
  ): Promise<Result<RestoreResult & { readonly told: number }>>;
  remove(agentId: string, named: string): Promise<Result<WorkspaceSnapshot>>;
}

const titleOf = ({ id, label }: WorkspaceSnapshot): HostText =>
  label === null ? say('undo.restoreOf', { id }) : say('undo.restoreLabel', { label });

export function createSnapshotsFeature(deps: SnapshotsFeatureDeps): SnapshotsFeature {
  const { file } = deps;
  const opened = <T>(work: (open: OpenRestorePoints) => Promise<Result<T>>): Promise<Result<T>> =>
    orStoreError(async () => {
      const open = await file.open();
      return open.ok ? work(open.value) : open;
    });
  const changes = async (
    open: OpenRestorePoints,
    agentId: string,
    named: string,
    until: string | null,
  ): Promise<Result<SnapshotChanges>> => {
    const { snapshots, store } = open;
    const snapshot = snapshots.find(agentId, named);
    if (!snapshot.ok) return snapshot;
    const last = until === null ? ok(null) : snapshots.find(agentId, until);
    if (!last.ok) return last;
    const items = await snapshots.changesSince(snapshot.value, last.value);
    if (!items.ok) return items;
    return ok({
      snapshot: snapshot.value,
      items: items.value,
      gaps: snapshots.gaps(snapshot.value),
      digest: digestOf(items.value),
      read: (hash) => store.read(hash),
    });
  };
  let last: Promise<unknown> = Promise.resolve();
  const restore = (agentId: string, named: string, digest: string) =>
    opened(async (open) => {
      const planned = await changes(open, agentId, named, null);
      if (!planned.ok) return planned;
      const { snapshot, items } = planned.value;
      if (planned.value.digest !== digest)
        return err(fail('conflict', 'undo.changedSinceShown', {}, { help: 'undo.lookAgain' }));
      const done = await open.snapshots.restore({
        snapshot,
        items,
        title: titleOf(snapshot),
        audit: (id) =>
          deps.note({
            kind: 'undo',
            agentId,
            tool: 'undo',
            digest,
            outcome: 'restore',
            detail: `${id} ${snapshot.id}`,
          }),
      });
      const told = done.ok ? tellAgent(open, snapshot, done.value.id) : 0;
      deps.onChanged();
      return done.ok ? ok({ ...done.value, told }) : done;
    });
  return {
    create: (agentId, label) =>
      opened(async ({ snapshots }) => {
        const root = deps.workspace(agentId);
        if (root === null) return err(fail('not_found', 'undo.noWorkspace'));
        const taken = await snapshots.take({ agentId, root, label, reason: 'asked' });
        if (!taken.ok) return taken;
        deps.onChanged();
        return ok({ snapshot: taken.value, gaps: snapshots.gaps(taken.value) });
      }),
    list: (query) =>
      file.exists() ? opened(async ({ snapshots }) => snapshots.list(query)) : Promise.resolve(ok([])),
    changes: (agentId, named, until) => opened((open) => changes(open, agentId, named, until)),
    // One after the other, so that two restores never plan on the same state.
    restore(agentId, named, digest) {
      const next = last.then(() => restore(agentId, named, digest));
      last = next.catch(() => undefined);
      return next;
    },
    remove: (agentId, named) =>
      opened(async ({ snapshots }) => {
        const found = snapshots.find(agentId, named);
        if (!found.ok) return found;
        const removed = snapshots.remove(found.value);
        deps.onChanged();
        return removed.ok ? found : removed;
      }),
  };
}

/**
 * Notes the restore for each conversation in which the agent changed files since; how many these are. The restore
 * holds even if a note cannot be stored.
 */
function tellAgent({ store }: OpenRestorePoints, snapshot: WorkspaceSnapshot, restore: string): number {
  const { agentId, at } = snapshot;
  try {
    const threads = store
      .list({ agentId, before: restore, limit: mostPoints, mostChanges: 1 })
      .filter((point) => point.at >= at && point.threadKey !== '')
      .map(({ threadKey }) => threadKey);
    const told = new Set(threads);
    for (const thread of told) store.addNote(agentId, thread, restoredNote(snapshot));
    return told.size;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return 0;
  }
}
