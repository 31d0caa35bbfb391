/** Prepared once, used often: statements of the relay's store by their text, and reading of typed columns. */
import type { Database, SqlParams, SqlRow, SqlValue, Statement } from './binding.ts';

export interface Statements {
  run(sql: string, params?: SqlParams): number;
  get(sql: string, params?: SqlParams): SqlRow | null;
  all(sql: string, params?: SqlParams): readonly SqlRow[];
}

export function createStatements(db: Database): Statements {
  const prepared = new Map<string, Statement>();
  const statement = (sql: string): Statement => {
    const known = prepared.get(sql);
    if (known) return known;
    const fresh = db.prepare(sql);
    prepared.set(sql, fresh);
    return fresh;
  };
  return {
    run: (sql, params) => statement(sql).run(params).changes,
    get: (sql, params) => statement(sql).get(params) ?? null,
    all: (sql, params) => statement(sql).all(params),
  };
}

export const text = (value: SqlValue | undefined): string => String(value ?? '');
export const textOrNull = (value: SqlValue | undefined): string | null =>
  value === null || value === undefined ? null : String(value);
export const int = (value: SqlValue | undefined): number => Number(value ?? 0);
export const intOrNull = (value: SqlValue | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);
export const flag = (value: SqlValue | undefined): boolean => Number(value ?? 0) !== 0;
export const flagValue = (value: boolean): number => (value ? 1 : 0);
/** For `IN (SELECT value FROM json_each(?))`: one statement for lists of any length. */
export const listValue = (values: readonly string[]): string => JSON.stringify(values);
