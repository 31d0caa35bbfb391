/**
 * Puppy and the engine that its goals were measured against, in one run: the same files, alternating, each
 * parsed from its file. A goal is the promised time in ms divided by that engine's time on the study machine
 * (spec §8, Node 20), so that the result does not depend on this machine. Without the registry nothing is
 * compared, and every row misses its goal.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { definitionFrom, readWorkflow } from '../../src/core/workflows/file/read-workflow.ts';
import { installLobster, type LobsterEngine } from '../lib/lobster-engine.ts';
import { type BenchRow, kennelEntry, median, report, temporaryHome, timeNode } from '../lib/measure.ts';
import { largeSteps, openPuppyEngine, timed } from '../lib/puppy-engine.ts';

/** Promised value and the other engine's value, in ms or MiB. */
const goals = {
  'import of the engine': [25, 80],
  'one shell step on the command line': [115, 114],
  'native step': [0.25, 0.081],
  'shell step': [2.2, 4.1],
  pause: [1, 3.8],
  resume: [2, 7.5],
  'resume beside 1,000 open pauses': [2, 78],
  'memory of 5 MB of JSON between two steps': [100, 100],
} as const;

type Measure = keyof typeof goals;
type Pair = { readonly ours: number; readonly theirs: number };

const home = temporaryHome();
const puppy = openPuppyEngine(home);

/** The same text under a file name for each engine. */
function workflowFile(name: string, text: string): { readonly ours: string; readonly theirs: string } {
  const [ours, theirs] = [path.join(home, `${name}.puppy`), path.join(home, `${name}.lobster`)];
  for (const file of [ours, theirs]) writeFileSync(file, text);
  return { ours, theirs };
}

const steps = (count: number, step: string): string =>
  `steps:\n${Array.from({ length: count }, (_, n) => `  - {id: s${n}, ${step}}\n`).join('')}`;
const files = {
  native: workflowFile('native', steps(100, 'pipeline: json')),
  shell: workflowFile('shell', steps(100, "run: ':'")),
  one: workflowFile('one', steps(1, "run: ':'")),
  asks: workflowFile(
    'asks',
    'steps:\n  - {id: a, pipeline: json}\n  - {id: g, approval: go}\n  - {id: b, pipeline: json}\n',
  ),
  large: workflowFile('large', largeSteps),
};

async function runOurs(file: string) {
  const read = definitionFrom(readWorkflow(readFileSync(file, 'utf8')));
  if (!read.ok) throw new Error(read.error.message);
  const told = await puppy.run(read.value);
  if (!told.ok) throw new Error(told.error.message);
  return told.requiresApproval?.resumeToken ?? '';
}

async function approveOurs(token: string): Promise<void> {
  const actor = { kind: 'person', id: 'ann' } as const;
  const told = await puppy.engine.resume({ by: { token }, actor, answer: { type: 'approve' } });
  if (!told.ok || told.status !== 'ok') throw new Error('ours did not go on');
}

async function runTheirs(peer: LobsterEngine, file: string): Promise<string> {
  const told = await peer.run(file);
  if (!told.ok) throw new Error(`theirs failed: ${JSON.stringify(told).slice(0, 500)}`);
  return told.requiresApproval?.resumeToken ?? '';
}

async function approveTheirs(peer: LobsterEngine, token: string): Promise<void> {
  const told = await peer.approve(token);
  if (!told.ok || told.status !== 'ok') throw new Error('theirs did not go on');
}

/** Medians of alternating rounds. */
async function inTurns(
  rounds: number,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
): Promise<Pair> {
  const found = { ours: [] as number[], theirs: [] as number[] };
  await ours();
  await theirs();
  for (let round = 0; round < rounds; round += 1) {
    found.ours.push(await ours());
    found.theirs.push(await theirs());
  }
  return { ours: median(found.ours), theirs: median(found.theirs) };
}

const perStep = (
  peer: LobsterEngine,
  file: { ours: string; theirs: string },
  rounds: number,
): Promise<Pair> =>
  inTurns(
    rounds,
    async () => (await timed(() => runOurs(file.ours))).ms / 100,
    async () => (await timed(() => runTheirs(peer, file.theirs))).ms / 100,
  );

const pause = (peer: LobsterEngine): Promise<Pair> =>
  inTurns(
    100,
    async () => (await timed(() => runOurs(files.asks.ours))).ms,
    async () => (await timed(() => runTheirs(peer, files.asks.theirs))).ms,
  );

/** Each round reaches its gate first, outside the measured time. */
const resume = (peer: LobsterEngine, rounds: number): Promise<Pair> =>
  inTurns(
    rounds,
    async () => {
      const token = await runOurs(files.asks.ours);
      return (await timed(() => approveOurs(token))).ms;
    },
    async () => {
      const token = await runTheirs(peer, files.asks.theirs);
      return (await timed(() => approveTheirs(peer, token))).ms;
    },
  );

async function resumeInACrowd(peer: LobsterEngine): Promise<Pair> {
  for (let n = puppy.journal.openGates().length; n < 1_000; n += 1) await runOurs(files.asks.ours);
  // Adds waiting runs of its own; the rows before left 101 open.
  for (let n = 101; n < 1_000; n += 1) await runTheirs(peer, files.asks.theirs);
  return resume(peer, 20);
}

const bundle = (...names: string[]): string =>
  fileURLToPath(new URL(path.posix.join('../../dist', ...names), import.meta.url));
const urlOf = (file: string): string => JSON.stringify(pathToFileURL(file).href);

/** The number that a small program prints last. */
function inProgram(text: string, env: Readonly<Record<string, string>>): number {
  const done = spawnSync(process.execPath, ['--input-type=module', '-e', text], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  if (done.status !== 0) throw new Error(done.stderr);
  return Number(done.stdout.trim().split('\n').at(-1));
}

function outside(peer: LobsterEngine) {
  const library = bundle('library', 'puppy.js');
  const state = { PUPPY_STATE_DIR: path.join(home, 'state') };
  const imports = (file: string): string =>
    `const t = performance.now(); await import(${urlOf(file)}); console.log(performance.now() - t)`;
  const peak = `if (!told.ok || told.status !== 'ok' || Number(told.output[0]) < 5e6) throw new Error('not done');
    console.log(process.resourceUsage().maxRSS / 1024)`;
  const ourMemory = `const { runWorkflow } = await import(${urlOf(library)});
    const told = await runWorkflow({ file: ${JSON.stringify(files.large.ours)} }, { root: ${JSON.stringify(home)} }); ${peak}`;
  const theirMemory = `const { runToolRequest } = await import(${urlOf(peer.module)});
    const told = await runToolRequest({ filePath: ${JSON.stringify(files.large.theirs)} }); ${peak}`;
  const ourCli = [path.join(path.dirname(kennelEntry), 'puppy.js'), 'run', '--file', files.one.ours];
  const theirCli = [peer.program, 'run', '--mode', 'tool', '--file', files.one.theirs];
  return {
    imports: () =>
      inTurns(
        15,
        async () => inProgram(imports(library), state),
        async () => inProgram(imports(peer.module), peer.env),
      ),
    commandLine: () =>
      inTurns(
        15,
        async () => timeNode(ourCli, state),
        async () => timeNode(theirCli, peer.env),
      ),
    memory: () =>
      inTurns(
        3,
        async () => inProgram(ourMemory, state),
        async () => inProgram(theirMemory, peer.env),
      ),
  };
}

async function measured(peer: LobsterEngine): Promise<Readonly<Record<Measure, Pair>>> {
  const { imports, commandLine, memory } = outside(peer);
  return {
    'import of the engine': await imports(),
    'one shell step on the command line': await commandLine(),
    'native step': await perStep(peer, files.native, 9),
    'shell step': await perStep(peer, files.shell, 5),
    pause: await pause(peer),
    resume: await resume(peer, 50),
    'resume beside 1,000 open pauses': await resumeInACrowd(peer),
    'memory of 5 MB of JSON between two steps': await memory(),
  };
}

function rowOf(name: Measure, pair: Pair | null, why: string): BenchRow {
  const [promised, took] = goals[name];
  const [ratio, figures] = pair ? [pair.ours / pair.theirs, { ...pair }] : [null, {}];
  const note = pair ? `ours ${pair.ours.toFixed(2)}, theirs ${pair.theirs.toFixed(2)}` : why;
  return {
    name: `${name} / the studied engine`,
    ratio: ratio === null ? null : Number(ratio.toFixed(4)),
    goal: Number((promised / took).toFixed(4)),
    better: 'lower',
    figures,
    note,
  };
}

const peer = await installLobster(home);
const [pairs, why] = typeof peer === 'string' ? [null, peer] : [await measured(peer), ''];
puppy.close();
rmSync(home, { recursive: true, force: true });
const names = Object.keys(goals) as Measure[];
report(names.map((name) => rowOf(name, pairs?.[name] ?? null, why)));
process.exit(0);
