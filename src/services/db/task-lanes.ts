/**
 * The lanes of the task queue: how many tasks of each agent are ready and at work, and which comes next. It promises that
 * they move in the transaction that moves their tasks, and can be made anew from these after a loss.
 */
import { anyAgent, defaultConcurrency, type Lane, type NextClaim } from '../../core/tasks/queue.ts';
import type { SqlRow, SqlValue } from './binding.ts';
import { numberOf, textOf } from './row-fields.ts';
import type { StoreHandle } from './store-file.ts';

/** Enough for any number of workers; what limits these tasks is who may take them. */
const unlimited = 2_147_483_647;

/** At most two: where the first is that of any agent and nobody is free, the second is tried. */
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

/** After tasks of this lane have come, gone or moved. */
export function shiftLane(handle: StoreHandle, agent: string, by: number): void {
  const { sql } = handle;
  ensureLane(handle, agent);
  const head = sql(headSql).get([agent]);
  sql('UPDATE lanes SET ready = ready + ?, head = ?, priority = ? WHERE agent = ?').run([
    ...[by, head?.id ?? null, head?.priority ?? null, agent],
  ]);
}

/** A task of some lane is taken on (1) or let go (-1) by this agent. */
export function occupy(handle: StoreHandle, runner: string, by: 1 | -1): void {
  ensureLane(handle, runner);
  handle.sql('UPDATE lanes SET running = running + ? WHERE agent = ?').run([by, runner]);
}

/** Puts these lanes at the end of their turn. */
export function markServed({ sql }: StoreHandle, lanes: readonly string[]): void {
  sql('INSERT INTO turns VALUES (1, 1) ON CONFLICT DO UPDATE SET served = served + 1').run([]);
  for (const agent of lanes) {
    sql('UPDATE lanes SET served = (SELECT served FROM turns) WHERE agent = ?').run([agent]);
  }
}

/** The answer of `chooseNext`, out of the indexes. */
export function nextClaim({ sql }: StoreHandle): NextClaim | null {
  for (const row of sql(willingSql).all([])) {
    const lane = textOf(row, 'agent');
    const idle = lane === anyAgent ? sql(idleSql).get([]) : row;
    if (idle) return { task: numberOf(row, 'head'), lane, runner: textOf(idle, 'agent') };
  }
  return null;
}

/** Who takes a task of this lane: its agent, or for any agent the one whose turn it is. Null: busy. */
export function runnerFor({ sql }: StoreHandle, lane: string): string | null {
  const row =
    lane === anyAgent
      ? sql(idleSql).get([])
      : sql('SELECT agent FROM lanes WHERE agent = ? AND running < concurrency').get([lane]);
  return row ? textOf(row, 'agent') : null;
}

const nullable = (row: SqlRow, name: string): number | null =>
  row[name] === null ? null : numberOf(row, name);

export const readLane = (row: SqlRow): Lane => ({
  agent: textOf(row, 'agent'),
  concurrency: numberOf(row, 'concurrency'),
  running: numberOf(row, 'running'),
  ready: numberOf(row, 'ready'),
  priority: nullable(row, 'priority'),
  head: nullable(row, 'head'),
  served: numberOf(row, 'served'),
});

/** Counts everything again from the tasks that are there; who worked on them is found dead or beats again. */
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
