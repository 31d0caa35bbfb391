/**
 * The workflow journal after years, as finished runs are never deleted: disk space per run; and whether the
 * newest page, an old page, a search (also one without results) and a lookup by id prefix cost the same at
 * 100,000 runs as at 1,000.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as breathe } from 'node:timers/promises';
import { hashText } from '../../src/core/workflows/engine/events.ts';
import { createRunQueries } from '../../src/core/workflows/views/run-queries.ts';
import { openDatabase } from '../../src/services/db/binding.ts';
import { sha256 } from '../../src/services/workflows/sha256.ts';
import { journalKey, openSampleJournal } from '../../test/fakes/workflow-samples.ts';
import { type BenchRow, median, report, temporaryHome } from '../lib/measure.ts';

/** In memory if possible, because the bench does not measure two hundred syncs. */
const home = existsSync('/dev/shm') ? mkdtempSync('/dev/shm/kennel-bench-') : temporaryHome();
const file = path.join(home, 'workflows.db');
const journal = openSampleJournal(file, journalKey);

const definition = JSON.stringify({ name: 'triage', description: '', args: {}, env: {}, steps: [] });
const hash = hashText(sha256, definition);
const idOf = (n: number): string =>
  `${hashText(sha256, String(n)).slice(0, 8)}-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Inserts a run with three steps and one approval. */
function add(n: number): void {
  const id = idOf(n);
  const status = n % 10 === 0 ? 'failed' : 'ok';
  const more = { idempotencyKey: null, wakeAt: null, owner: null };
  const message = status === 'failed' ? `Step 'send' failed (1): no route to host-${n}` : null;
  const origin = { cwd: '/home/ann', file: `/home/ann/triage-${n % 50}.puppy` };
  journal.create({
    row: { id, definition: hash, status, createdAt: n, ...more },
    definitions: [{ hash, text: definition }],
    event: { type: 'run_created', definition: hash, children: {}, args: {}, initiatedBy: 'ann', origin },
  });
  const step = (name: string) => [
    { type: 'step_started', path: name, attempt: 1, effect: 'once', key: hash } as const,
    { type: 'step_spawned', path: name, process: { pid: n, started: '1' } } as const,
    {
      type: 'step_ended',
      path: name,
      result: { kept: { result: { stdout: 'x'.repeat(200) }, parsed: false } },
    } as const,
  ];
  journal.append({
    run: id,
    at: n,
    afterSeq: 1,
    events: [
      ...['fetch', 'sort', 'send'].flatMap(step),
      { type: 'run_finished', status, message, output: null },
    ],
  });
}

const book = createRunQueries({ journal, sha256, breathe, taskOf: () => null });
async function timed(work: () => boolean | Promise<boolean>): Promise<number> {
  const times: number[] = [];
  while (times.length < 9) {
    const started = performance.now();
    if (!(await work())) throw new Error('something else was found');
    times.push(performance.now() - started);
  }
  return median(times);
}

const listed = async (query: Parameters<typeof book.list>[0]): Promise<number> =>
  (await book.list({ ...query, limit: 50 })).runs.length;

/** Longest block of the event loop, in ms. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  const held = monitorEventLoopDelay({ resolution: 1 });
  held.enable();
  await work();
  await new Promise((resolve) => setTimeout(resolve, 20));
  held.disable();
  return held.max / 1e6;
}

async function looks(count: number) {
  const old = idOf(Math.floor(count / 2));
  // The next search indexes the rows written since the last one.
  const readIn = await longestHold(() => listed({ limit: 50, text: 'first search' }));
  return {
    readIn,
    newest: await timed(async () => (await listed({ limit: 50 })) === 50),
    old: await timed(async () => (await listed({ limit: 50, before: old })) === 50),
    found: await timed(async () => (await listed({ limit: 50, text: 'triage-7.' })) > 0),
    none: await timed(async () => (await listed({ limit: 50, text: 'nowhere to be found' })) === 0),
    short: await timed(async () => (await listed({ limit: 50, text: '~~' })) === 0),
    holds: await longestHold(() => listed({ limit: 50, text: '~~' })),
    begins: await timed(() => book.find(idOf(3).slice(0, 8)).ok),
    verify: await timed(() => journal.brokenAt(old) === null),
  };
}

function fill(from: number, to: number): void {
  for (let n = from; n < to; n += 1) add(n);
}

const few = 1_000;
const many = Number(process.env.RUNS ?? 100_000);
fill(0, few);
const small = await looks(few);
fill(few, many);
const large = await looks(many);
journal.release();
openDatabase(file, { key: journalKey }).close();
const perRun = statSync(file).size / many / 1024;
rmSync(home, { recursive: true, force: true });

const row = (name: string, figure: number, floor: number, goal: number): BenchRow => ({
  name,
  ratio: Number((figure / floor).toFixed(4)),
  goal,
  better: 'lower',
  figures: { figure: Number(figure.toFixed(4)), floor: Number(floor.toFixed(4)) },
  note: name.endsWith(' ms')
    ? `${figure.toFixed(2)} ms`
    : `${figure.toFixed(2)} ms; ${floor.toFixed(2)} ms at 1,000`,
});

const amount = many.toLocaleString('en');
report([
  row(`runs, newest 50 of ${amount} / of 1,000`, large.newest, small.newest, 2),
  row(`runs, 50 from the middle of ${amount} / of 1,000`, large.old, small.old, 2),
  row(`runs, search that finds in ${amount} / 50 ms`, large.found, 50, 1),
  row(`runs, search that finds nothing in ${amount} / 50 ms`, large.none, 50, 1),
  row(`runs, two letters that none of ${amount} has / 250 ms`, large.short, 250, 1),
  row(`host held up by that search / 50 ms`, large.holds, 50, 1),
  row(`host held up by the first search of ${amount} / 250 ms`, large.readIn, 250, 1),
  row(`run by the beginning of its id among ${amount} / 1,000`, large.begins, small.begins, 3),
  row(`history of one run verified among ${amount} / 1,000`, large.verify, small.verify, 3),
  {
    name: 'disk per finished run of three steps / 8 KiB',
    ratio: Number((perRun / 8).toFixed(4)),
    goal: 1,
    better: 'lower',
    figures: { kiB: Number(perRun.toFixed(3)) },
    note: `${perRun.toFixed(2)} KiB`,
  },
]);
