/**
 * The search index of runs: one line of text per run, indexed by trigrams. It promises that every run is
 * found by any part of its name, file, id or last message, that the next search sees a changed run, and that
 * no call takes long, because both indexing and searching work in batches. The index is derived from the
 * journal and can be rebuilt; no journal write waits for it.
 */
import type { FoundRuns, WordsQuery } from '../../core/workflows/views/run-history.ts';
import type { SqlRow } from './binding.ts';
import { numberOf, textOf, textOrNull } from './row-fields.ts';
import type { StoreHandle } from './store-file.ts';
import { runOf } from './workflow-rows.ts';

/** Maximum number of runs that one call indexes, and of event bytes after which it stops. */
const readAtOnce = 200;
const readBytes = 1_000_000;
/** Maximum number of runs that one call searches. */
const searchedAtOnce = 20_000;
const lettersOfGroup = 3;
/** A longer text is looked up by its beginning and then compared whole. */
const maxGroups = 40;

const field = (event: string, path: string): string =>
  `CASE WHEN json_valid(${event}) THEN json_extract(${event}, '${path}') END`;

/** Runs above the last indexed one, and runs that changed since. */
const unread = `SELECT number FROM runs WHERE number > (SELECT coalesce(max(run), 0) FROM words)
  UNION ALL SELECT run FROM reworded ORDER BY 1 LIMIT ${readAtOnce}`;

const wordsSql = `SELECT r.number, r.id, ${field('d.text', '$.name')} AS name,
    ${field('f.event', '$.origin.file')} AS file, coalesce(${field('l.event', '$.message.text')}, ${field('l.event', '$.message')}) AS message,
    coalesce(octet_length(f.event), 0) + coalesce(octet_length(l.event), 0) AS size
  FROM runs r LEFT JOIN definitions d ON d.hash = r.definition
    LEFT JOIN events f ON f.run = r.number AND f.seq = 1
    LEFT JOIN events l ON l.run = r.number AND l.seq = r.seq
  WHERE r.number = ?`;

/** A zero would end the text for the index. */
const folded = (text: string): string => text.toLowerCase().replaceAll('\0', ' ');

function wordsOf(row: SqlRow): string {
  const [name, file, message] = ['name', 'file', 'message'].map((column) => textOrNull(row, column) ?? '');
  const shown = name || file || 'pipeline';
  return folded([shown, file, textOf(row, 'id'), message].join('\n'));
}

/** Runs inside a transaction. Returns true if more remains to be indexed. */
export function readInWords({ sql }: StoreHandle): boolean {
  const numbers = sql(unread)
    .all()
    .map((row) => numberOf(row, 'number'));
  let read = 0;
  for (const number of numbers) {
    if (read >= readBytes) return true;
    const before = sql('SELECT text FROM words WHERE run = ?').get([number]);
    if (before)
      sql("INSERT INTO word_groups (word_groups, rowid, text) VALUES ('delete', ?, ?)").run([
        number,
        textOf(before, 'text'),
      ]);
    const row = sql(wordsSql).get([number]);
    const text = row ? wordsOf(row) : '';
    read += row ? numberOf(row, 'size') : 0;
    sql('INSERT OR REPLACE INTO words (run, text) VALUES (?, ?)').run([number, text]);
    sql('INSERT INTO word_groups (rowid, text) VALUES (?, ?)').run([number, text]);
    sql('UPDATE runs SET worded = 1 WHERE number = ?').run([number]);
    sql('DELETE FROM reworded WHERE run = ?').run([number]);
  }
  return numbers.length === readAtOnce;
}

/** Returns `null` if the text is too short for a trigram. */
function groupsOf(text: string): string | null {
  const letters = [...text];
  const groups = letters
    .slice(lettersOfGroup - 1)
    .map((_, at) => letters.slice(at, at + lettersOfGroup).join(''));
  if (groups.length === 0) return null;
  return [...new Set(groups)]
    .slice(0, maxGroups)
    .map((group) => `"${group.replaceAll('"', '""')}"`)
    .join(' AND ');
}

/** The number below which the first batch starts. */
function firstBelow({ sql }: StoreHandle, before: string | undefined): number {
  const found =
    before === undefined
      ? sql('SELECT coalesce(max(number), 0) + 1 AS number FROM runs').get([])
      : sql('SELECT number FROM runs WHERE id = ?').get([before]);
  return found ? numberOf(found, 'number') : 0;
}

/** Searches the indexed runs. Exported so that a test can check its query plan. */
export function foundSql(
  { status, archived }: Pick<WordsQuery, 'status' | 'archived'>,
  groups: string | null,
): string {
  const number = groups === null ? 'w.run' : 'g.rowid';
  return `SELECT r.* FROM ${groups === null ? '' : 'word_groups g CROSS JOIN'} words w CROSS JOIN runs r
    WHERE ${number} < :below AND ${number} >= :from ${groups === null ? '' : 'AND word_groups MATCH :groups AND w.run = g.rowid'}
      AND instr(w.text, :text) > 0 AND r.number = w.run ${status === undefined ? '' : 'AND r.status = :status'}
      ${archived === undefined ? '' : `AND r.archived IS ${archived ? 'NOT NULL' : 'NULL'}`}
    ORDER BY ${number} DESC LIMIT :limit`;
}

export function foundRuns(handle: StoreHandle, query: WordsQuery): FoundRuns {
  const { status, limit, before, below = firstBelow(handle, before) } = query;
  const text = folded(query.text);
  const groups = groupsOf(text);
  const from = Math.max(0, below - searchedAtOnce);
  const params = {
    below,
    from,
    text,
    limit,
    ...(groups === null ? {} : { groups }),
    ...(status === undefined ? {} : { status }),
  };
  const rows = handle.sql(foundSql(query, groups)).all(params);
  const last = rows.at(-1);
  const looked = rows.length === limit && last ? numberOf(last, 'number') : from;
  return { rows: rows.map(runOf), below: looked <= 1 ? null : looked };
}
