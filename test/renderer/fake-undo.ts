/** Restore points in memory: one revert marks its points as undone. */
import type { MethodInput, MethodName } from '../../src/contract/methods.ts';
import { ok } from '../../src/contract/result.ts';
import type { SnapshotView } from '../../src/contract/snapshot-methods.ts';
import type { RestorePointView, UndoFileView } from '../../src/contract/undo-methods.ts';
import type { FakeFeed } from './fake-feed.ts';
import type { Handler } from './fake-host.ts';

export const restorePoint = (id: string, change: Partial<RestorePointView> = {}): RestorePointView => ({
  id,
  agentId: 'guide',
  agentName: 'Guide',
  turnId: 't1',
  taskId: null,
  tool: 'write_file',
  title: 'wrote hello.md',
  at: Date.now() - 120_000,
  endedAt: Date.now() - 119_000,
  undoneBy: null,
  files: [{ path: 'hello.md', kind: 'file', change: 'changed' }],
  fileCount: 1,
  gaps: [],
  ...change,
});

export const snapshot = (id: string, change: Partial<SnapshotView> = {}): SnapshotView => ({
  id,
  agentId: 'guide',
  agentName: 'Guide',
  label: null,
  reason: 'turn',
  about: 'write hello.md',
  at: Date.now() - 120_000,
  files: 12,
  bytes: 34_000,
  gaps: 0,
  ...change,
});

export class FakeUndo {
  snapshots: SnapshotView[] = [];
  points: RestorePointView[] = [];
  files: UndoFileView[] = [
    {
      path: 'hello.md',
      kind: 'file',
      change: 'changed',
      state: 'ready',
      diff: '@@ -1,2 +1,2 @@\n # Hello\n-Old line\n+A new line',
      since: '',
      cut: false,
    },
  ];
  private readonly feed: FakeFeed;

  constructor(feed: FakeFeed) {
    this.feed = feed;
    feed.put('undo', { revision: 0 });
  }

  table(): Partial<Record<MethodName, Handler>> {
    return {
      'undo.list': ({ points: ids, task }: MethodInput<'undo.list'>) => {
        const wanted = this.points.filter(
          ({ id, taskId }) =>
            (ids === undefined || ids.includes(id)) && (task === undefined || task === taskId),
        );
        return ok({ points: wanted, next: null });
      },
      'undo.show': ({ point, whole }: MethodInput<'undo.show'>) => {
        const found = this.points.find(({ id }) => id === point) ?? restorePoint(point);
        const calls = whole === 'turn' ? this.points.length : 1;
        return ok({ point: found, calls, files: this.files, gaps: found.gaps, digest: 'shown' });
      },
      'undo.apply': ({ point, whole }: MethodInput<'undo.apply'>) => {
        this.points = this.points.map((one) =>
          whole === 'turn' || one.id === point ? { ...one, undoneBy: 'undo_9' } : one,
        );
        this.feed.patch('undo', { op: 'set', path: ['revision'], value: Date.now() });
        return ok({ point: 'undo_9', restored: ['hello.md'], kept: [] });
      },
      'snapshots.list': ({ limit }: MethodInput<'snapshots.list'>) => {
        const page = this.snapshots.slice(0, limit);
        return ok({ snapshots: page, next: this.snapshots[page.length]?.id ?? null });
      },
      'snapshots.create': ({ label }: MethodInput<'snapshots.create'>) => {
        const made = snapshot('snap_new', { label: label ?? null, reason: 'asked', about: null });
        this.changeSnapshots([made, ...this.snapshots]);
        return ok({ snapshot: made, gaps: [] });
      },
      'snapshots.diff': ({ snapshot: id }: MethodInput<'snapshots.diff'>) => {
        const found = this.snapshots.find((one) => one.id === id) ?? snapshot(id);
        const gaps = [{ path: 'node_modules', why: 'ignored' as const }];
        return ok({
          snapshot: found,
          files: this.files,
          fileCount: this.files.length,
          gaps,
          digest: 'shown',
        });
      },
      'snapshots.restore': () => {
        const before = snapshot('snap_before', { reason: 'restore', about: null });
        this.changeSnapshots([before, ...this.snapshots]);
        return ok({ point: 'undo_9', before, restored: ['hello.md'], kept: [], told: 1 });
      },
      'snapshots.remove': ({ snapshot: id }: MethodInput<'snapshots.remove'>) => {
        this.changeSnapshots(this.snapshots.filter((one) => one.id !== id));
        return ok({ snapshot: snapshot(id) });
      },
    };
  }

  private changeSnapshots(snapshots: SnapshotView[]): void {
    this.snapshots = snapshots;
    this.feed.patch('undo', { op: 'set', path: ['revision'], value: Date.now() });
  }
}
