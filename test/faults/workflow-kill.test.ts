import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { brokenAt } from '../../src/core/workflows/engine/events.ts';
import { placeOf } from '../../src/core/workflows/file/definition.ts';
import type { KillPlan } from '../children/workflow-engine.ts';
import { guardsOf, randomWorkflow, type StepWords } from '../fakes/random-workflow.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { workflow } from '../fakes/workflow-rig.ts';
import { openSampleJournal } from '../fakes/workflow-samples.ts';
import { newFolder, proof, removeFolder } from './places.ts';

const script = path.resolve(import.meta.dirname, '../children/workflow-engine.ts');
const seed = Number(process.env.KENNEL_SEED ?? Math.floor(Math.random() * 2 ** 31));
const chance = createSeededRandom(seed);
const upTo = (limit: number): number => Math.floor(chance.fraction() * limit);
const rounds = Number(process.env.KENNEL_RUNS ?? (proof ? 150 : 3));

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) removeFolder(folder);
});

interface Told {
  readonly run: string;
  readonly status: string;
  readonly output: unknown;
  readonly writes: number;
}

/** Null: it was killed. */
function program(folder: string, killAt: string | null): Promise<Told | null> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...(killAt === null ? {} : { KENNEL_KILL_AT: killAt }) };
    const child = spawn(process.execPath, [script, folder], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const texts = { out: '', error: '' };
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      texts.out += piece;
    });
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      texts.error += piece;
    });
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') return resolve(null);
      if (code !== 0) return reject(new Error(`${folder}, ${killAt}: ${code} ${texts.error}`));
      resolve(JSON.parse(texts.out) as Told);
    });
  });
}

function newPlan(plan: KillPlan): string {
  const folder = newFolder();
  folders.push(folder);
  writeFileSync(path.join(folder, 'plan.json'), JSON.stringify(plan));
  return folder;
}

/** Through as many programs as kills, and one more; then what came of it. */
async function live(plan: KillPlan, kills: readonly string[]) {
  const folder = newPlan(plan);
  for (const kill of kills) if (await program(folder, kill)) break;
  const told = await program(folder, null);
  if (!told) throw new Error('nobody was to kill it');
  const file = path.join(folder, 'effects.log');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  checkPromises(plan, folder, told.run, lines);
  const done = [...new Set(lines)].toSorted();
  return { status: told.status, output: told.output, done, writes: told.writes };
}

/** No step goes on after its recorded end, none of class `once` leaves two traces, none is before what guards it. */
function checkPromises(plan: KillPlan, folder: string, run: string, lines: readonly string[]): void {
  const journal = openSampleJournal(path.join(folder, 'state', 'workflows.db'), null);
  const rows = journal.events(run, 0);
  journal.release();
  const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest();
  expect(brokenAt(sha256, run, rows)).toBeNull();
  const ended = new Set<string>();
  const skipped = new Set<string>();
  const once = new Set<string>();
  for (const { event } of rows) {
    if (event.type === 'step_started') {
      expect(ended).not.toContain(event.path);
      if (event.effect === 'once') once.add(event.path);
    }
    if (event.type === 'step_ended') ended.add(event.path);
    if (event.type === 'step_skipped') skipped.add(event.path);
  }
  const effects = lines.filter((line) => !line.startsWith('? '));
  for (const place of once)
    expect({ place, times: effects.filter((one) => one === place).length <= 1 }).toEqual({
      place,
      times: true,
    });
  const guards = guardsOf(workflow(plan.text).steps);
  for (const [index, line] of lines.entries()) {
    const indexes = [...line.matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1]));
    for (const gate of guards.get(line.replaceAll(/\[\d+\]/g, '[]')) ?? []) {
      const place = placeOf(gate.path, indexes);
      if (!skipped.has(place))
        expect({ line, asked: lines.indexOf(`? ${place}`) < index && lines.includes(`? ${place}`) }).toEqual({
          line,
          asked: true,
        });
    }
  }
}

const quoted = JSON.stringify;
const leave = 'echo "$PUPPY_STEP" >> effects.log';
const trace = quoted(leave);
const inPipeline = quoted(`exec --shell '${leave}' | approve --prompt go`);

/**
 * Every kind of step. Those of class `once` say nothing, since whoever looks later cannot know what they said; and "it was done"
 * would mean the gate inside the pipeline, too.
 */
const everything: KillPlan = {
  text: `
args: {items: {default: [1, 2]}}
steps:
  - {id: first, run: ${trace}}
  - {id: text, run: ${quoted(`${leave}; echo '{"n": 12345678901234567890}'`)}, effect: idempotent}
  - {id: pick, pipeline: "exec --json --shell 'echo [1,2,3]' | head --n 2", effect: pure}
  - {id: held, pipeline: ${inPipeline}, effect: idempotent}
  - {id: ask, input: {prompt: what, response_schema: {type: object}}}
  - id: both
    parallel:
      branches:
        - {id: left, run: ${trace}, approval: go}
        - {id: right, sleep: 20ms}
  - id: each
    for_each: '\${items}'
    pause_ms: 5
    steps: [{id: send, run: ${trace}, approval: send}]
  - {id: inner, workflow: inner.puppy}
  - {id: again, run: ${quoted(`${leave}; test "$PUPPY_ATTEMPT" -ge 2`)}, effect: idempotent, retry: {max: 5, delay_ms: 5}}
  - {id: fails, run: 'exit 3', effect: pure, on_error: continue}
  - {id: think, agent: {goal: think}}
  - {id: judge, llm-task: {prompt: judge, schema: {type: object}}}
  - {id: no, approval: {prompt: no, on_reject: {steps: [{id: undo, run: ${trace}}], then: continue}}}
  - {id: last, pipeline: "exec --json --stdin raw cat", stdin: $text.json, effect: pure}
`,
  children: { 'inner.puppy': `steps: [{id: deep, run: ${trace}, approval: deep}]` },
  refused: ['no'],
};

/** As many at once as the machine has hands. */
async function all<T>(tasks: readonly (() => Promise<T>)[], hands = 2): Promise<void> {
  const left = [...tasks];
  const work = async (): Promise<void> => {
    for (let task = left.shift(); task; task = left.shift()) await task();
  };
  await Promise.all(Array.from({ length: hands }, work));
}

const realWords: StepWords = {
  say: () => trace,
  slow: (ms) => quoted(`sleep 0.0${10 + ms}; ${leave}`),
  flaky: () => quoted(`test "$PUPPY_ATTEMPT" -ge 2 && ${leave}`),
  fail: "'exit 3'",
  harmless: () => `"exec --json --shell 'echo [1]' | head --n 1"`,
  sleep: (n) => `${n * 5}ms`,
};

describe('a program that is killed at a write of its journal', () => {
  it(`leaves a run of every kind of step that ends the same, each effect once (F1, seed ${seed})`, async () => {
    const { writes, ...whole } = await live(everything, []);
    expect(whole).toMatchObject({ status: 'ok', output: [{ n: '12345678901234567890' }] });
    expect(whole.done).toHaveLength(18);
    const every = Array.from({ length: writes }, (_, n) => n + 1).flatMap((write) => [
      `${write}:before`,
      `${write}:after`,
    ]);
    // Some of them in each run, all of them in a proof.
    const from = upTo(8);
    const points = proof ? every : every.filter((_, n) => n % 8 === from);
    await all(
      points.map((point) => async () => {
        const { writes: _, ...killed } = await live(everything, [point]);
        expect({ point, ...killed }).toEqual({ point, ...whole });
      }),
    );
  }, 900_000);

  it(`leaves whatever workflow as if nothing had happened, however often it is killed (F1, seed ${seed})`, async () => {
    const plans = Array.from({ length: rounds }, () => {
      const text = randomWorkflow(chance.fraction, realWords);
      const places = [...guardsOf(workflow(text).steps).keys()];
      const branching = places.flatMap((place) =>
        place.includes('.on_reject.') ? [place.split('.on_reject.')[0] ?? ''] : [],
      );
      const refused = [...new Set(branching)].filter(() => chance.fraction() < 0.5);
      const kills = Array.from(
        { length: 1 + upTo(4) },
        () => `${1 + upTo(12)}:${upTo(2) === 0 ? 'before' : 'after'}`,
      );
      return { plan: { text, refused }, kills };
    });
    await all(
      plans.map(({ plan, kills }) => async () => {
        const { writes: _, ...whole } = await live(plan, []);
        const { writes: __, ...killed } = await live(plan, kills);
        expect({ ...plan, kills, ...killed }).toEqual({ ...plan, kills, ...whole });
        expect(['ok', 'failed', 'cancelled']).toContain(killed.status);
      }),
    );
  }, 1_800_000);
});
