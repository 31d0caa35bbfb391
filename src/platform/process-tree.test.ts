import { describe, expect, it } from 'vitest';
import { endRemaining, endTree, type ProcessTable, type TableRow } from './process-tree.ts';

interface FakeTable extends ProcessTable {
  readonly alive: () => readonly number[];
  /** Number of times that the table was read. */
  readonly reads: () => number;
  readonly sent: readonly string[];
}

function fakeTable(
  rows: readonly TableRow[],
  { hasMarkers, bearers = [] }: { readonly hasMarkers: boolean; readonly bearers?: readonly number[] },
): FakeTable {
  let left = rows;
  let reads = 0;
  const sent: string[] = [];
  return {
    hasMarkers,
    rows() {
      reads += 1;
      return left;
    },
    marked: () => left.map(({ pid }) => pid).filter((pid) => bearers.includes(pid)),
    isGroupAlive: (leader) => left.some(({ group }) => group === leader),
    signal(pid, signal) {
      sent.push(`${signal} ${pid}`);
      if (signal === 'SIGKILL') left = left.filter((row) => row.pid !== pid && row.group !== -pid);
    },
    alive: () => left.map(({ pid }) => pid),
    reads: () => reads,
    sent,
  };
}

const stranger: TableRow = { pid: 90_000, parent: 1, group: 90_000 };
const inGroup: TableRow = { pid: 90_002, parent: 1, group: 90_001 };
const ownSession: TableRow = { pid: 90_003, parent: 90_002, group: 90_003 };
const query = { leader: 90_001, marker: 'm' };

describe('Processes that a program leaves behind', () => {
  it('do not cost a look at the table if there are none', () => {
    const table = fakeTable([stranger], { hasMarkers: true });
    endRemaining(query, table);
    expect([table.reads(), table.sent]).toEqual([0, []]);
  });

  it('are killed with their children if the group is not empty', () => {
    const table = fakeTable([stranger, inGroup, ownSession], { hasMarkers: true });
    endRemaining(query, table);
    expect(table.alive()).toEqual([stranger.pid]);
  });

  it('are killed if only their marker is left', () => {
    const orphan = { pid: 90_004, parent: 1, group: 90_004 };
    const table = fakeTable([stranger, orphan], { hasMarkers: true, bearers: [orphan.pid] });
    endRemaining(query, table);
    expect(table.alive()).toEqual([stranger.pid]);
  });

  it('are killed by their group alone where the table is slow to read', () => {
    const table = fakeTable([stranger, inGroup], { hasMarkers: false });
    endRemaining(query, table);
    expect(table.reads()).toBe(0);
    expect(table.sent).toEqual(['SIGKILL -90001']);
    expect(table.alive()).toEqual([stranger.pid]);
  });

  it.each([true, false])(
    'are killed as a whole tree when a program is stopped (markers: %s)',
    (hasMarkers) => {
      const table = fakeTable([stranger, inGroup, ownSession], { hasMarkers });
      endTree(query, table);
      expect(table.alive()).toEqual([stranger.pid]);
      expect(table.sent.slice(0, 2)).toEqual(['SIGSTOP 90002', 'SIGSTOP 90003']);
    },
  );
});
