/**
 * Runs one workflow with the real engine, journal and shell, and dies by SIGKILL at the journal write that
 * `KENNEL_KILL_AT` names (`3:before`, `3:after`). Steps append their paths as lines to `effects.log`; an
 * answered gate appends `? path` first. At the end it prints the status of the run and the number of writes
 * as one line of JSON. Argument: the folder of `plan.json`.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { GateReply } from '../../src/core/workflows/engine/answer-gate.ts';
import { createEngine, type Engine } from '../../src/core/workflows/engine/engine.ts';
import type { Journal, StepRunner } from '../../src/core/workflows/engine/engine-ports.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { createSystemRandom } from '../../src/services/clock/system-random.ts';
import { createOwners } from '../../src/services/workflows/owners.ts';
import { createWorkflowRunners } from '../../src/services/workflows/workflow-runners.ts';
import { child, workflow } from '../fakes/workflow-rig.ts';
import { openSampleJournal } from '../fakes/workflow-samples.ts';

export interface KillPlan {
  readonly text: string;
  /** Child workflows by the file name that the step uses. */
  readonly children?: { readonly [file: string]: string };
  /** Paths of the gates to reject. */
  readonly refused?: readonly string[];
}

const folder = process.argv[2] ?? '';
const plan = JSON.parse(readFileSync(path.join(folder, 'plan.json'), 'utf8')) as KillPlan;
const traces = path.join(folder, 'effects.log');
const [fatal = '', moment = ''] = (process.env.KENNEL_KILL_AT ?? '').split(':');
let writes = 0;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

function mortal<A extends unknown[], T>(write: (...args: A) => T): (...args: A) => T {
  return (...args) => {
    writes += 1;
    const now = writes === Number(fatal);
    if (now && moment === 'before') die();
    const done = write(...args);
    if (now) die();
    return done;
  };
}

const store = openSampleJournal(
  path.join(process.env.KENNEL_PLAN_STATE ?? path.join(folder, 'state'), 'workflows.db'),
  null,
);
const journal: Journal = {
  ...store,
  create: mortal(store.create),
  append: mortal(store.append),
  claim: mortal(store.claim),
  setValue: mortal(store.setValue),
};
const runners = createWorkflowRunners({ journal, env: process.env, root: folder });
/** Stands for agents and models: has an outside effect, then answers. */
const outside: StepRunner = {
  run: async ({ path: place }) => {
    appendFileSync(traces, `${place}\n`);
    return { type: 'done', json: { by: place } };
  },
};

const engine: Engine = createEngine({
  journal,
  clock: createSystemClock(),
  random: createSystemRandom(),
  owners: createOwners(),
  sha256: (data) => Uint8Array.from(createHash('sha256').update(data).digest()),
  gates: { opened: () => undefined, reminded: () => undefined, closed: () => undefined },
  runners: { ...runners, agent: outside, model: outside },
});

const seen = (place: string): boolean =>
  existsSync(traces) && readFileSync(traces, 'utf8').split('\n').includes(place);

function answerTo(place: string, kind: string | undefined): GateReply {
  if (kind === 'uncertain') return { type: seen(place) ? 'done' : 'repeat' };
  if (kind === 'input') return { type: 'respond', response: { text: 'an answer' } };
  return { type: plan.refused?.includes(place) ? 'reject' : 'approve' };
}

function answerAll(run: string): boolean {
  const state = engine.show(run);
  let answered = false;
  for (const { id, path: place } of journal.openGates(run)) {
    const kind = state?.gates.get(id)?.content.kind;
    if (kind !== 'uncertain') appendFileSync(traces, `? ${place}\n`);
    const decision = {
      by: { gate: id },
      actor: { kind: 'person', id: 'ann' },
      answer: answerTo(place, kind),
    } as const;
    answered = engine.decide(decision).ok || answered;
  }
  return answered;
}

const begun = engine.start({
  definition: workflow(plan.text),
  children: Object.entries(plan.children ?? {}).map(([file, text]) => child(file, text)),
  initiatedBy: null,
  idempotencyKey: 'the run',
});
if (!begun.ok) throw new Error(begun.error.message);
const run = begun.value.id;
const patienceMs = 60_000;
let told = await engine.answer(run, { patienceMs });
while (answerAll(run)) told = await engine.answer(run, { patienceMs });
const state = engine.show(run);
const status = state?.status;
const output = told.ok ? told.output : told.error.message;
writeSync(
  1,
  `${JSON.stringify({ run, status, output, writes }, (_key, value) => (typeof value === 'bigint' ? String(value) : value))}\n`,
);
runners.close();
store.release();
