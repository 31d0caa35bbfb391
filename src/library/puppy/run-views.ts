/** Lists and details of the runs of a state folder. */
import { setImmediate as breathe } from 'node:timers/promises';
import { ok, type Result } from '../../contract/result.ts';
import type { RunRow } from '../../core/workflows/engine/engine-ports.ts';
import { isFinished } from '../../core/workflows/engine/run-state.ts';
import { createRunQueries } from '../../core/workflows/views/run-queries.ts';
import { sha256 } from '../../services/workflows/sha256.ts';
import { envelopeJson } from './fit-envelope.ts';
import {
  detailOf,
  itemOf,
  type RenderText,
  type RunDetail,
  type RunItem,
  type RunLogView,
} from './run-formats.ts';
import type { StandaloneRuntime } from './standalone-runtime.ts';

export interface RunFilter {
  readonly status?: string;
  /** Only archived runs if true, otherwise none. */
  readonly archived?: boolean;
  readonly limit: number;
}

/** Rows per query when a status filter may match only old runs. */
const longStep = 500;

/** Newest first, page by page. */
function* pastRuns(
  { past }: StandaloneRuntime['journal'],
  { status, archived = false, limit }: RunFilter,
): Generator<RunRow> {
  const step = status === undefined ? limit : longStep;
  const over = status === 'ok' || status === 'failed' || status === 'cancelled' ? status : undefined;
  for (let before: string | undefined; ; ) {
    const rows = past({ status: over, before, archived, limit: step });
    yield* rows;
    before = rows.at(-1)?.id;
    if (rows.length < step) return;
  }
}

/** The runs of a state folder. */
export function openRunViews({ journal, owners }: StandaloneRuntime, render?: RenderText) {
  const queries = createRunQueries({ journal, sha256, breathe, taskOf: () => null });
  /** A state folder has no driver: an unfinished run continues only while a process owns it. */
  const inFolder = (row: RunRow, item: RunItem): RunItem['status'] => {
    if (isFinished(row.status)) return item.status;
    if (row.owner !== null && owners.alive(row.owner)) return 'running';
    return item.status === 'running' ? 'interrupted' : item.status;
  };
  const itemIn = (row: RunRow): RunItem => {
    const item = itemOf(queries.summary(row), queries.gates(row), render);
    return { ...item, status: inFolder(row, item) };
  };
  const withRun = <T>(name: string, work: (row: RunRow) => Result<T>): Result<T> => {
    const row = queries.find(name);
    return row.ok ? work(row.value) : row;
  };
  return {
    list(query: RunFilter): readonly RunItem[] {
      const { status, limit } = query;
      const items: RunItem[] = [];
      for (const row of pastRuns(journal, query)) {
        const item = itemIn(row);
        if (status === undefined || item.status === status) items.push(item);
        if (items.length >= limit) break;
      }
      return items;
    },
    show: (name: string): Result<RunDetail> =>
      withRun(name, (row) => {
        const { args, origin } = queries.live(row.id).state;
        const { steps } = queries.view(row.id);
        const known = {
          run: queries.summary(row),
          argsJson: envelopeJson(args, 0),
          steps: Object.values(steps),
          gates: queries.gates(row),
        };
        const detail = detailOf(known, new Map(), render);
        return ok({ ...detail, status: inFolder(row, detail), cwd: origin?.cwd ?? null });
      }),
    step: (name: string, path: string): Result<string> =>
      withRun(name, (row) => {
        const left = queries.step(row, path, Number.POSITIVE_INFINITY);
        return left.ok ? ok(left.value.stdout || left.value.json) : left;
      }),
    log: (name: string): Result<RunLogView> =>
      withRun(name, ({ id }) => ok({ id, events: journal.events(id, 0), brokenAt: journal.brokenAt(id) })),
    find: (name: string): Result<string> => withRun(name, ({ id }) => ok(id)),
  };
}
