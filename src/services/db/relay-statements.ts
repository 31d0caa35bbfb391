/**
 * Caches the relay store's prepared statements by SQL text and reads typed columns. Rows that rarely change
 * (channel members, device keys) are served from memory until a write to their tables: one process holds the
 * store, so no other can change them. A rollback clears the cache as a write does.
 */
import type { Database, SqlParams, SqlRow, SqlValue, Statement } from './binding.ts';

export interface Statements {
  run(sql: string, params?: SqlParams): number;
  get(sql: string, params?: SqlParams): SqlRow | null;
  all(sql: string, params?: SqlParams): readonly SqlRow[];
  /** Clears the cache after a rollback. */
  forget(): void;
}

/**
 * Read with every message, written when a member joins. No other process writes them: it may only add
 * invites.
 */
const steadyTables: ReadonlySet<string> = new Set([
  'channels',
  'channel_members',
  'devices',
  'spaces',
  'subkeys',
]);
/** Cached rows: some MiB. */
const maxRemembered = 20_000;

interface Prepared {
  readonly statement: Statement;
  /** True if its result may be cached. */
  readonly steady: boolean;
  /** True if it may change cached rows. */
  readonly unsettles: boolean;
}

function prepare(db: Database, sql: string): Prepared {
  const named = [...sql.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)/gi)].map((match) => match[1] ?? '');
  const tables = named.filter((name) => name !== 'json_each');
  const reads = /^\s*SELECT\b/i.test(sql);
  return {
    statement: db.prepare(sql),
    steady: reads && tables.length > 0 && tables.every((name) => steadyTables.has(name)),
    unsettles: !reads && (/^\s*ROLLBACK/i.test(sql) || tables.some((name) => steadyTables.has(name))),
  };
}

class Remembered {
  readonly #answers = new Map<string, readonly SqlRow[]>();
  #rows = 0;

  read(key: string, look: () => readonly SqlRow[]): readonly SqlRow[] {
    const known = this.#answers.get(key);
    if (known) return known;
    const fresh = look();
    this.#rows += fresh.length + 1;
    if (this.#rows > maxRemembered) {
      this.forget();
      this.#rows = fresh.length + 1;
    }
    this.#answers.set(key, fresh);
    return fresh;
  }

  forget(): void {
    this.#answers.clear();
    this.#rows = 0;
  }
}

export function createStatements(db: Database): Statements {
  const prepared = new Map<string, Prepared>();
  const remembered = new Remembered();
  const statement = (sql: string): Prepared => {
    const known = prepared.get(sql);
    if (known) return known;
    const fresh = prepare(db, sql);
    prepared.set(sql, fresh);
    return fresh;
  };
  const all = (sql: string, params: SqlParams | undefined): readonly SqlRow[] => {
    const found = statement(sql);
    if (found.unsettles) remembered.forget();
    if (!found.steady) return found.statement.all(params);
    return remembered.read(`${sql} ${JSON.stringify(params ?? [])}`, () => found.statement.all(params));
  };
  return {
    run: (sql, params) => {
      const found = statement(sql);
      if (found.unsettles) remembered.forget();
      return found.statement.run(params).changes;
    },
    get: (sql, params) => {
      const found = statement(sql);
      return (found.steady ? all(sql, params)[0] : found.statement.get(params)) ?? null;
    },
    all,
    forget: () => remembered.forget(),
  };
}

export const text = (value: SqlValue | undefined): string => String(value ?? '');
export const relayTextOrNull = (value: SqlValue | undefined): string | null =>
  value === null || value === undefined ? null : String(value);
export const int = (value: SqlValue | undefined): number => Number(value ?? 0);
export const intOrNull = (value: SqlValue | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);
export const flagNumber = (value: SqlValue | undefined): boolean => Number(value ?? 0) !== 0;
export const flagValue = (value: boolean): number => (value ? 1 : 0);
/** For `IN (SELECT value FROM json_each(?))`: one statement for lists of any length. */
export const listValue = (values: readonly string[]): string => JSON.stringify(values);
