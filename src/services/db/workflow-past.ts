/** All runs in pages, newest first. It promises that a page costs the same however many runs exist. */
import type { RunRow } from '../../core/workflows/engine/engine-ports.ts';
import type { PastQuery } from '../../core/workflows/views/run-history.ts';
import type { SqlParams } from './binding.ts';
import type { StoreHandle } from './store-file.ts';
import { runOf } from './workflow-rows.ts';

/** Exported so that a test can check its query plan. */
export function pastSql({ status, before, begins, archived }: Omit<PastQuery, 'limit'>): string {
  const where = [
    ...(status === undefined ? [] : ['r.status = :status']),
    ...(before === undefined ? [] : ['r.number < (SELECT number FROM runs WHERE id = :before)']),
    ...(archived === undefined ? [] : [`r.archived IS ${archived ? 'NOT NULL' : 'NULL'}`]),
    ...(begins === undefined ? [] : ['r.id >= :begins AND r.id < :beyond']),
  ];
  const filter = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
  return `SELECT r.* FROM runs r ${filter} ORDER BY r.number DESC LIMIT :limit`;
}

export function pastRuns({ sql }: StoreHandle, query: PastQuery): readonly RunRow[] {
  const { status, before, begins, limit } = query;
  const params: SqlParams = {
    limit,
    ...(status === undefined ? {} : { status }),
    ...(before === undefined ? {} : { before }),
    ...(begins === undefined ? {} : { begins, beyond: `${begins}\u{10ffff}` }),
  };
  return sql(pastSql(query)).all(params).map(runOf);
}
