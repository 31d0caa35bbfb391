/**
 * Stores the usage and cost of every model request in an encrypted file of its own. It promises that a
 * request counts once under Kennel's own call id, however often it is recorded, and that rows and daily sums
 * change together.
 */

import type { SpendRow } from '../../core/models/spend-gate.ts';
import type { SqlRow } from './binding.ts';
import { numberOf, oneOf, textOf } from './row-fields.ts';
import { createStoreFile, type StoreFile, type StoreFileOptions } from './store-file.ts';
import { threadKeySql } from './thread-keys-sql.ts';

export interface LedgerRow extends SpendRow {
  /** Local day, YYYY-MM-DD. */
  readonly day: string;
  /** US dollars, or `null` while the price is unknown. */
  readonly usd: number | null;
}

/** Sums over several responses. */
export interface Spending {
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** US dollars, as far as prices are known. */
  readonly usd: number;
  /** US dollars at sample prices. */
  readonly simulatedUsd: number;
  /** Tokens whose price is unknown. */
  readonly unpriced: number;
  /** Tokens of the scripted model. */
  readonly simulated: number;
}

export interface UsageQuery {
  /** First and last day, inclusive. */
  readonly from: string;
  readonly to: string;
  /** `null` if for all agents together. */
  readonly agentId: string | null;
}

/** The approval about a used-up limit and its answer; one for each limit and period. */
export interface AllowanceRow {
  /** An agent id, or empty for all agents together. */
  readonly who: string;
  readonly limit: string;
  /** YYYY-MM-DD or YYYY-MM. */
  readonly period: string;
  readonly state: 'asked' | 'allowed' | 'denied';
  /** The agent in whose name the approval was requested. */
  readonly asker: string;
  /** The allowance beyond the limit, in tokens or dollars. */
  readonly extra: number;
  /** ms since the epoch. */
  readonly at: number;
}

export interface UsageStore {
  /** False if a row with this call id exists. */
  record(row: LedgerRow): boolean;
  byAgentAndDay(
    query: UsageQuery,
  ): readonly (Spending & { readonly agentId: string; readonly day: string })[];
  byDay(query: UsageQuery): readonly (Spending & { readonly day: string })[];
  byModel(query: UsageQuery): readonly (Spending & { readonly provider: string; readonly model: string })[];
  /** Most tokens first. */
  byThread(query: UsageQuery, limit: number): readonly (Spending & { readonly threadKey: string })[];
  /** Omits turns that used nothing. */
  byTurn(turnIds: readonly string[]): readonly (Spending & { readonly turnId: string })[];
  allowance(who: string, limit: string, period: string): AllowanceRow | null;
  keepAllowance(row: AllowanceRow): void;
  release(): void;
}

export type UsageStoreOptions = StoreFileOptions & { readonly key: Uint8Array };

export const usageSchema = [
  `
CREATE TABLE calls (
  provider TEXT NOT NULL, response_id TEXT NOT NULL, at INTEGER NOT NULL, day TEXT NOT NULL, agent TEXT NOT NULL,
  thread TEXT NOT NULL, turn TEXT NOT NULL, model TEXT NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL,
  cache_read INTEGER NOT NULL, cache_write INTEGER NOT NULL, reasoning INTEGER NOT NULL, usd REAL,
  simulated INTEGER NOT NULL, PRIMARY KEY (provider, response_id)
) WITHOUT ROWID;
CREATE INDEX calls_by_day ON calls (day, agent);
CREATE TABLE daily (
  day TEXT NOT NULL, agent TEXT NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL, simulated INTEGER NOT NULL,
  calls INTEGER NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL, cache_read INTEGER NOT NULL,
  cache_write INTEGER NOT NULL, usd REAL NOT NULL, unpriced INTEGER NOT NULL,
  PRIMARY KEY (day, agent, provider, model, simulated)
) WITHOUT ROWID;
`,
  `
CREATE TABLE allowances (
  who TEXT NOT NULL, limit_name TEXT NOT NULL, period TEXT NOT NULL, state TEXT NOT NULL, asker TEXT NOT NULL,
  extra REAL NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (who, limit_name, period)
) WITHOUT ROWID;
`,
  'CREATE INDEX calls_by_turn ON calls (turn);',
  // The remaining keys are session names of external programs.
  `UPDATE calls SET thread = ${threadKeySql('thread')};
UPDATE calls SET thread = 'program|' || thread WHERE thread NOT GLOB '*|*';`,
  // Some providers give several responses the same id; existing rows keep their ids.
  'ALTER TABLE calls RENAME COLUMN response_id TO call_id;',
];

/** ms; longer than any period. */
const keepAllowances = 100 * 86_400_000;

const insertCall = `INSERT OR IGNORE INTO calls VALUES (:provider, :callId, :at, :day, :agent, :thread, :turn,
  :model, :input, :output, :cacheRead, :cacheWrite, :reasoning, :usd, :simulated)`;

const addToDay = `INSERT INTO daily VALUES (:day, :agent, :provider, :model, :simulated, 1, :input, :output,
  :cacheRead, :cacheWrite, :usd, :unpriced)
  ON CONFLICT DO UPDATE SET calls = calls + 1, input = input + excluded.input, output = output + excluded.output,
  cache_read = cache_read + excluded.cache_read, cache_write = cache_write + excluded.cache_write,
  usd = usd + excluded.usd, unpriced = unpriced + excluded.unpriced`;

/** After a loss the daily sums are rebuilt from the calls that could be read. */
const rebuildDays = `DELETE FROM daily; INSERT INTO daily SELECT day, agent, provider, model, simulated, count(*),
  sum(input), sum(output), sum(cache_read), sum(cache_write), sum(coalesce(usd, 0)),
  sum(iif(usd IS NULL, input + output + cache_read + cache_write, 0))
  FROM calls GROUP BY day, agent, provider, model, simulated`;

const tokens = 'input + output + cache_read + cache_write';
const sums = (calls: string, unpriced: string): string => `
  ${calls} AS calls, sum(input) AS input, sum(output) AS output, sum(cache_read) AS cache_read,
  sum(cache_write) AS cache_write, total(iif(simulated, 0, usd)) AS usd,
  total(iif(simulated, usd, 0)) AS simulated_usd, sum(${unpriced}) AS unpriced,
  sum(iif(simulated, ${tokens}, 0)) AS simulated`;
const within = 'WHERE day BETWEEN :from AND :to AND (:agent IS NULL OR agent = :agent)';
const dailySums = sums('sum(calls)', 'unpriced');
const callSums = sums('count(*)', `iif(usd IS NULL, ${tokens}, 0)`);

const spendingOf = (row: SqlRow): Spending => ({
  calls: numberOf(row, 'calls'),
  input: numberOf(row, 'input'),
  output: numberOf(row, 'output'),
  cacheRead: numberOf(row, 'cache_read'),
  cacheWrite: numberOf(row, 'cache_write'),
  usd: numberOf(row, 'usd'),
  simulatedUsd: numberOf(row, 'simulated_usd'),
  unpriced: numberOf(row, 'unpriced'),
  simulated: numberOf(row, 'simulated'),
});

const allowanceOf = (row: SqlRow): AllowanceRow => ({
  who: textOf(row, 'who'),
  limit: textOf(row, 'limit_name'),
  period: textOf(row, 'period'),
  state: oneOf(row, 'state', ['asked', 'allowed', 'denied']),
  asker: textOf(row, 'asker'),
  extra: numberOf(row, 'extra'),
  at: numberOf(row, 'at'),
});

function allowanceRows(file: StoreFile): Pick<UsageStore, 'allowance' | 'keepAllowance'> {
  return {
    allowance: (who, limit, period) =>
      file.use(({ sql }) => {
        const found = sql('SELECT * FROM allowances WHERE who = ? AND limit_name = ? AND period = ?');
        const row = found.get([who, limit, period]);
        return row ? allowanceOf(row) : null;
      }),
    keepAllowance: ({ who, limit, period, state, asker, extra, at }) =>
      file.write(({ sql }) => {
        const values = [who, limit, period, state, asker, extra, at];
        sql('INSERT OR REPLACE INTO allowances VALUES (?, ?, ?, ?, ?, ?, ?)').run(values);
        sql('DELETE FROM allowances WHERE at < ?').run([at - keepAllowances]);
      }),
  };
}

export function openUsageStore(options: UsageStoreOptions): UsageStore {
  const file = createStoreFile(options, usageSchema, ({ db }) => db.exec(rebuildDays));
  const rows = (text: string, { from, to, agentId }: UsageQuery, more: Record<string, number> = {}) =>
    file.use(({ sql }) => sql(text).all({ from, to, agent: agentId, ...more }));
  return {
    record: (row) =>
      file.write(({ sql }) => {
        const { usage } = row;
        const { day, agentId: agent, provider, model, usd } = row;
        const { input, output, cacheRead, cacheWrite } = usage;
        const common = { day, agent, provider, model, input, output, cacheRead, cacheWrite };
        const simulated = row.simulated ? 1 : 0;
        const { changes } = sql(insertCall).run({
          ...common,
          simulated,
          usd,
          at: row.at,
          thread: row.threadKey,
          turn: row.turnId,
          callId: row.callId,
          reasoning: usage.reasoning ?? 0,
        });
        if (changes === 0) return false;
        const unpriced = usd === null ? input + output + cacheRead + cacheWrite : 0;
        sql(addToDay).run({ ...common, simulated, usd: usd ?? 0, unpriced });
        return true;
      }),
    byAgentAndDay: (query) =>
      rows(`SELECT day, agent, ${dailySums} FROM daily ${within} GROUP BY day, agent`, query).map((row) => ({
        ...spendingOf(row),
        agentId: textOf(row, 'agent'),
        day: textOf(row, 'day'),
      })),
    byDay: (query) =>
      rows(`SELECT day, ${dailySums} FROM daily ${within} GROUP BY day ORDER BY day`, query).map((row) => ({
        ...spendingOf(row),
        day: textOf(row, 'day'),
      })),
    byModel: (query) =>
      rows(
        `SELECT provider, model, ${dailySums} FROM daily ${within} GROUP BY provider, model
        ORDER BY sum(${tokens}) DESC`,
        query,
      ).map((row) => ({
        ...spendingOf(row),
        provider: textOf(row, 'provider'),
        model: textOf(row, 'model'),
      })),
    byThread: (query, limit) =>
      rows(
        `SELECT thread, ${callSums} FROM calls ${within} GROUP BY thread
        ORDER BY sum(${tokens}) DESC LIMIT :limit`,
        query,
        { limit },
      ).map((row) => ({ ...spendingOf(row), threadKey: textOf(row, 'thread') })),
    byTurn: (turnIds) =>
      file.use(({ sql }) =>
        sql(
          `SELECT turn, ${callSums} FROM calls WHERE turn IN (SELECT value FROM json_each(?)) GROUP BY turn`,
        )
          .all([JSON.stringify(turnIds)])
          .map((row) => ({ ...spendingOf(row), turnId: textOf(row, 'turn') })),
      ),
    ...allowanceRows(file),
    release: () => file.release(),
  };
}
