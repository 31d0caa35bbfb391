/**
 * The lanes of the task queue: how many tasks of each agent are ready and running, and which comes next. It
 * promises that lanes change in the transaction that changes their tasks, and that they can be rebuilt from
 * the tasks after a loss.
 */
import { anyAgent, defaultConcurrency, type Lane, type NextClaim } from '../../core/tasks/queue.ts';
import type { SqlRow, SqlValue } from './binding.ts';
import { numberOf, numberOrNull, textOf } from './row-fields.ts';
import type { StoreHandle } from './store-file.ts';

/** Enough for any number of workers; the agents' own limits bound these tasks. */
const unlimited = 2_147_483_647;

/** At most two: if the first lane is the any-agent lane and no agent is idle, the second is tried. */
export const willingSql = `SELECT agent, head FROM lanes WHERE ready > 0 AND running < concurrency
  ORDER BY priority DESC, served, head LIMIT 2`;
export const idleSql = `SELECT agent FROM lanes WHERE running < concurrency AND agent <> ''
  ORDER BY served, agent LIMIT 1`;
export const headSql = `SELECT id, priority FROM tasks WHERE ready = 1 AND lane = ?
  ORDER BY priority DESC, id LIMIT 1`;

function ensureLane({ sql }: StoreHandle, agent: string): void {
  const concurrency = agent === anyAgent ? unlimited : defaultConcurrency;
  sql('INSERT OR IGNORE INTO lanes VALUES (?, ?, 0, 0, NULL, NULL, 0)').run([agent, concurrency]);
}

export function setConcurrencies(handle: StoreHandle, of: ReadonlyMap<string, number>): void {
  for (const [agent, concurrency] of of) {
    ensureLane(handle, agent);
    handle.sql("UPDATE lanes SET concurrency = ? WHERE agent = ? AND agent <> ''").run([concurrency, agent]);
  }
}

/** Updates the lane after tasks were added, removed or moved. */
export function shiftLane(handle: StoreHandle, agent: string, by: number): void {
  const { sql } = handle;
  ensureLane(handle, agent);
  const head = sql(headSql).get([agent]);
  sql('UPDATE lanes SET ready = ready + ?, head = ?, priority = ? WHERE agent = ?').run([
    by,
    head?.id ?? null,
    head?.priority ?? null,
    agent,
  ]);
}

/** An agent takes (1) or releases (-1) a task of any lane. */
export function occupy(handle: StoreHandle, runner: string, by: 1 | -1): void {
  ensureLane(handle, runner);
  handle.sql('UPDATE lanes SET running = running + ? WHERE agent = ?').run([by, runner]);
}

/** Moves these lanes to the end of the round-robin order. */
export function markServed({ sql }: StoreHandle, lanes: readonly string[]): void {
  sql('INSERT INTO turns VALUES (1, 1) ON CONFLICT DO UPDATE SET served = served + 1').run([]);
  for (const agent of lanes) {
    sql('UPDATE lanes SET served = (SELECT served FROM turns) WHERE agent = ?').run([agent]);
  }
}

/** Computes `chooseNext` from the indexes. */
export function nextClaim({ sql }: StoreHandle): NextClaim | null {
  for (const row of sql(willingSql).all([])) {
    const lane = textOf(row, 'agent');
    const idle = lane === anyAgent ? sql(idleSql).get([]) : row;
    if (idle) return { task: numberOf(row, 'head'), lane, runner: textOf(idle, 'agent') };
  }
  return null;
}

/**
 * The agent that takes a task of this lane: the lane's own agent, or the next idle one for the any-agent
 * lane; `null` if busy.
 */
export function runnerFor({ sql }: StoreHandle, lane: string): string | null {
  const row =
    lane === anyAgent
      ? sql(idleSql).get([])
      : sql('SELECT agent FROM lanes WHERE agent = ? AND running < concurrency').get([lane]);
  return row ? textOf(row, 'agent') : null;
}

export const readLane = (row: SqlRow): Lane => ({
  agent: textOf(row, 'agent'),
  concurrency: numberOf(row, 'concurrency'),
  running: numberOf(row, 'running'),
  ready: numberOf(row, 'ready'),
  priority: numberOrNull(row, 'priority'),
  head: numberOrNull(row, 'head'),
  served: numberOf(row, 'served'),
});

/**
 * Recounts all lanes from the stored tasks. Leases are recreated: their workers either send a heartbeat again
 * or are found dead.
 */
export function rebuildLanes(handle: StoreHandle): void {
  const { sql } = handle;
  sql(`INSERT OR IGNORE INTO leases SELECT id, json_extract(body, '$.claim'), json_extract(body, '$.lease.owner'),
    json_extract(body, '$.lease.pid'), json_extract(body, '$.lease.bootId'), json_extract(body, '$.lease.worker'),
    0, json_extract(body, '$.runner') FROM tasks WHERE status = 'running'`).run([]);
  sql("DELETE FROM leases WHERE task NOT IN (SELECT id FROM tasks WHERE status = 'running')").run([]);
  sql('UPDATE lanes SET ready = 0, running = 0, head = NULL, priority = NULL').run([]);
  const each = (
    text: string,
    work: (agent: string, count: number) => void,
    params: SqlValue[] = [],
  ): void => {
    for (const row of sql(text).all(params)) work(textOf(row, 'agent'), numberOf(row, 'n'));
  };
  each('SELECT lane AS agent, count(*) AS n FROM tasks WHERE ready = 1 GROUP BY lane', (agent, count) =>
    shiftLane(handle, agent, count),
  );
  each('SELECT runner AS agent, count(*) AS n FROM leases GROUP BY runner', (agent, count) => {
    ensureLane(handle, agent);
    sql('UPDATE lanes SET running = ? WHERE agent = ?').run([count, agent]);
  });
}
