/**
 * `npm run bench [-- NAME …]`: runs each bench in its own process and saves its rows, each with the measured
 * commit, in `bench/results/latest.json`. A bench prints one JSON line: an array of rows {name, ratio, goal,
 * better, figures, note?}. `npm run bench -- --report` measures nothing: it prints the saved rows and marks
 * stale ones.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { currentCommit, isMet, isUnchangedSince, resultLines, whyStale } from './lib/result-rows.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const results = path.join(here, 'results');
const benches = readdirSync(path.join(here, 'suites'))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3));

function runBench(name) {
  process.stderr.write(`${name} …\n`);
  const run = spawnSync(process.execPath, ['--expose-gc', path.join(here, 'suites', `${name}.ts`)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 16 * 1024 * 1024,
  });
  const line = run.stdout.trim().split('\n').at(-1) ?? '';
  if (run.status !== 0 || !line.startsWith('[')) throw new Error(`bench ${name} failed (exit ${run.status})`);
  return JSON.parse(line).map((row) => ({ bench: name, ...row, met: isMet(row), ...at }));
}

const file = path.join(results, 'latest.json');
const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).rows : [];
const root = path.join(here, '..');
const known = new Map();
const isUnchanged = (commit) => {
  if (!known.has(commit)) known.set(commit, isUnchangedSince(root, commit));
  return known.get(commit);
};
const show = (rows) => console.log(resultLines(rows, isUnchanged).join('\n'));

if (process.argv.includes('--report')) {
  show(kept);
  process.exit(0);
}

const named = process.argv.slice(2);
const wrong = named.find((name) => !benches.includes(name));
if (wrong) {
  console.error(`no bench '${wrong}'; there are: ${benches.join(', ')}`);
  process.exit(2);
}
execFileSync(process.execPath, [path.join(here, '../scripts/build.mjs'), 'cli', 'library'], {
  stdio: 'inherit',
});
const at = currentCommit(root);
const rows = (named.length > 0 ? named : benches).flatMap(runBench);
const ran = new Set(rows.map((row) => row.bench));
const all = [...kept.filter((row) => !ran.has(row.bench) && benches.includes(row.bench)), ...rows];
mkdirSync(results, { recursive: true });
const machine = {
  cpus: os.cpus().length,
  model: os.cpus()[0]?.model ?? '',
  memoryGiB: Math.round(os.totalmem() / 2 ** 30),
};
writeFileSync(
  file,
  `${JSON.stringify({ node: process.version, platform: `${process.platform}-${process.arch}`, machine, rows: all }, null, 2)}\n`,
);
show(rows);
const stale = all.filter((row) => !ran.has(row.bench) && whyStale(row, isUnchanged) !== null);
if (stale.length > 0)
  console.log(`${stale.length} kept rows are stale; "npm run bench -- --report" shows them.`);
