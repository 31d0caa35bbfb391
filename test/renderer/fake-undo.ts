/** Restore points in memory: one revert marks its points as undone. */
import type { MethodInput, MethodName } from '../../src/contract/methods.ts';
import { ok } from '../../src/contract/result.ts';
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

export class FakeUndo {
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
    };
  }
}
