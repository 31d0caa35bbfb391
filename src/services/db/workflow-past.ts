/**
 * Everything that ever ran, in pages from the newest: it promises that a page costs the same however many runs there are, and that
 * a search reads one row or two of each run instead of its history.
 */
import type { RunRow } from '../../core/workflows/engine/engine-ports.ts';
import type { RunStatus } from '../../core/workflows/engine/events.ts';
import type { SqlParams } from './binding.ts';
import type { StoreHandle } from './store-file.ts';
import { runOf } from './workflow-rows.ts';

export interface PastQuery {
  readonly status?: RunStatus | undefined;
  /** A run's id: only older ones. */
  readonly before?: string | undefined;
  /** What the id begins with. */
  readonly begins?: string | undefined;
  /**
   * In the name of the definition, the file, the id or the last message. Runs may come that do not hold it: letters beyond ASCII
   * stand for anything.
   */
  readonly text?: string | undefined;
  readonly limit: number;
}

/** What SQLite compares as people do; everything else stands for anything. */
const patternOf = (text: string): string => `%${text.toLowerCase().replaceAll(/[^a-z0-9 .:/-]+/g, '%')}%`;

const field = (event: string, path: string): string =>
  `CASE WHEN json_valid(${event}.event) THEN json_extract(${event}.event, '${path}') END`;

const holdsText = `(r.id LIKE :text
  OR r.definition IN (SELECT hash FROM definitions WHERE json_valid(text) AND json_extract(text, '$.name') LIKE :text)
  OR EXISTS (SELECT 1 FROM events f WHERE f.run = r.number AND f.seq = 1
    AND coalesce(${field('f', '$.origin.file')}, 'pipeline') LIKE :text)
  OR EXISTS (SELECT 1 FROM events l WHERE l.run = r.number AND l.seq = r.seq AND ${field('l', '$.message')} LIKE :text))`;

/** Exported so that a test reads its plan. */
export function pastSql({ status, before, begins, text }: Omit<PastQuery, 'limit'>): string {
  const where = [
    ...(status === undefined ? [] : ['r.status = :status']),
    ...(before === undefined ? [] : ['r.number < (SELECT number FROM runs WHERE id = :before)']),
    ...(begins === undefined ? [] : ['r.id >= :begins AND r.id < :beyond']),
    ...(text === undefined ? [] : [holdsText]),
  ];
  const filter = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
  return `SELECT r.* FROM runs r ${filter} ORDER BY r.number DESC LIMIT :limit`;
}

export function pastRuns({ sql }: StoreHandle, query: PastQuery): readonly RunRow[] {
  const { status, before, begins, text, limit } = query;
  const params: SqlParams = {
    limit,
    ...(status === undefined ? {} : { status }),
    ...(before === undefined ? {} : { before }),
    ...(begins === undefined ? {} : { begins, beyond: `${begins}\u{10ffff}` }),
    ...(text === undefined ? {} : { text: patternOf(text) }),
  };
  return sql(pastSql(query)).all(params).map(runOf);
}
