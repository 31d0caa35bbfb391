/**
 * Copies what is still readable of a damaged database into a fresh one of the same schema (F19). Each table
 * is read from both ends up to the damage, so that one bad page costs its rows and not the whole store.
 */
import { StoreError } from '../../core/lib/store-error.ts';
import { systemErrorCode } from '../../platform/system-error.ts';
import { type Database, openDatabase, type SqlRow, type SqlValue } from './binding.ts';

interface StoredCopy {
  readonly hint: string;
  /** The columns that sort it on disk. */
  readonly order: readonly string[];
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** The table itself, then each index that holds all of its columns a second time. */
  readonly copies: readonly StoredCopy[];
}

const firstBlock = 512;

/**
 * Referenced tables come before the tables that refer to them. Search indexes are rebuilt instead.
 */
function tablesOf(db: Database): readonly Table[] {
  const names = db
    .prepare(
      `SELECT s.name, t.wr FROM sqlite_schema s JOIN pragma_table_list t ON t.schema = 'main' AND t.name = s.name
        WHERE s.type = 'table' AND t.type = 'table' AND s.name NOT LIKE 'sqlite%'
        ORDER BY EXISTS (SELECT 1 FROM pragma_foreign_key_list(s.name)), s.rowid`,
    )
    .all();
  return names.map(({ name, wr }) => {
    const info = db.prepare('SELECT name, pk FROM pragma_table_info(?)').all([name ?? null]);
    const keys = info.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk));
    const keyNames = keys.map((column) => String(column.name));
    return {
      name: String(name),
      columns: info.map((column) => String(column.name)),
      copies: [
        { hint: 'NOT INDEXED', order: Number(wr) === 1 ? keyNames : ['rowid'] },
        ...secondCopies(db, String(name), info.length, keyNames),
      ],
    };
  });
}

function secondCopies(
  db: Database,
  table: string,
  columns: number,
  keys: readonly string[],
): readonly StoredCopy[] {
  const [rowNumber = ''] = keys;
  const indexes = db.prepare('SELECT name FROM pragma_index_list(?) WHERE partial = 0').all([table]);
  return indexes.flatMap(({ name }) => {
    const info = db.prepare('SELECT name FROM pragma_index_info(?)').all([name ?? null]);
    const order = info.map((column) => String(column.name));
    const complete = keys.length === 1 && order.length + 1 === columns && !order.includes(rowNumber);
    return complete ? [{ hint: `INDEXED BY ${name}`, order }] : [];
  });
}

/** Yields rows up to the first unreadable one; a block that fails is read again in smaller blocks. */
function* readable(
  open: () => Database,
  table: Table,
  copy: StoredCopy,
  direction: 'ASC' | 'DESC',
): Generator<SqlRow> {
  const order = copy.order.map((column) => `${column} ${direction}`).join(', ');
  const query = `SELECT ${table.columns.join(', ')} FROM ${table.name} ${copy.hint} ORDER BY ${order} LIMIT ? OFFSET ?`;
  let db = open();
  try {
    for (let offset = 0, block = firstBlock; block >= 1; ) {
      const rows = rowsOf(db, query, [block, offset]);
      if (rows === null) {
        // A connection that met a page it cannot decrypt fails every later read.
        db.close();
        db = open();
        block = Math.floor(block / 8);
        continue;
      }
      yield* rows;
      offset += rows.length;
      if (rows.length < block) return;
    }
  } finally {
    db.close();
  }
}

function rowsOf(db: Database, query: string, params: readonly SqlValue[]): readonly SqlRow[] | null {
  try {
    return db.prepare(query).all(params);
  } catch (error) {
    if (error instanceof StoreError) return null;
    // A file of an older version lacks the tables of later ones.
    if (error instanceof Error && error.message.includes('no such table')) return [];
    throw error;
  }
}

/** Skips a row that exists already or whose referenced row is lost. */
function put(insert: () => { readonly changes: number }): number {
  try {
    return insert().changes;
  } catch (error) {
    const code = systemErrorCode(error);
    if (code.startsWith('SQLITE_CONSTRAINT')) return 0;
    throw error;
  }
}

/** A file of an older version lacks the columns of later ones, which keep their defaults. */
function sharedColumns(open: () => Database, { name, columns }: Table): readonly string[] {
  const db = open();
  try {
    const info = db.prepare('SELECT name FROM pragma_table_info(?)').all([name]);
    const known = new Set(info.map((column) => String(column.name)));
    return known.size === 0 ? columns : columns.filter((column) => known.has(column));
  } finally {
    db.close();
  }
}

function carryTable(open: () => Database, table: Table, fresh: Database): number {
  const marks = table.columns.map(() => '?').join(', ');
  const insert = fresh.prepare(
    `INSERT OR IGNORE INTO ${table.name} (${table.columns.join(', ')}) VALUES (${marks})`,
  );
  let rows = 0;
  const take = (row: SqlRow): void => {
    rows += put(() => insert.run(table.columns.map((column) => row[column] ?? null)));
  };
  fresh.transaction(() => {
    for (const copy of table.copies) {
      for (const row of readable(open, table, copy, 'ASC')) take(row);
      for (const row of readable(open, table, copy, 'DESC')) take(row);
    }
  });
  return rows;
}

/**
 * Returns how many rows were copied. Never throws for the damage itself; a table that cannot be read at all
 * is skipped.
 */
export function salvage(damaged: string, key: Uint8Array | null, fresh: Database): number {
  const open = (): Database => openDatabase(damaged, key ? { key } : {});
  let rows = 0;
  for (const table of tablesOf(fresh)) {
    try {
      rows += carryTable(open, { ...table, columns: sharedColumns(open, table) }, fresh);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }
  return rows;
}
