/**
 * Runs suites in parallel and prints the failures, a line per suite and, alone on the last line, the total.
 */
import { availableParallelism } from 'node:os';
import { ensureSystemPackages } from './debian-packages.mjs';
import { createOrderedOutput, runScheduled } from './schedule.mjs';
import { ensureDependencies } from './setup.mjs';
import { jobs, suites } from './suites.mjs';

const say = (line) => console.log(line);
const underCi = Boolean(process.env.CI);
const nothing = { passed: 0, failed: 0, skipped: 0 };

async function runOne(job, missing, out) {
  const lacking = missing.filter(({ suites: users }) => job.window && users.includes(job.name));
  if (lacking.length > 0) {
    const why = `system packages are missing: ${lacking.map((each) => each.package).join(' ')}`;
    return underCi ? { ...nothing, failed: 1, note: why } : { ...nothing, excused: why };
  }
  try {
    return await job.run(out);
  } catch (error) {
    return { ...nothing, failed: 1, note: String(error?.message ?? error) };
  }
}

function summary(name, result, seconds) {
  if (result.excused) return `${name}: SKIPPED: ${result.excused}`;
  const skipped = result.skipped > 0 ? `, ${result.skipped} skipped` : '';
  const note = result.note ? ` (${result.note})` : '';
  return `${name}: ${result.passed} passed, ${result.failed} failed${skipped}, ${seconds} s${note}`;
}

/** Jobs with their results, in their own order. */
async function runAll(chosen, missing) {
  const output = createOrderedOutput((piece) => process.stdout.write(piece));
  const results = new Map();
  await runScheduled(chosen, Math.max(2, availableParallelism()), async (job) => {
    const out = output.open();
    const started = performance.now();
    out.write(`\n== ${job.name}\n`);
    const broken = (job.after ?? []).find((name) => (results.get(name)?.result.failed ?? 0) > 0);
    const result = broken
      ? { ...nothing, failed: 1, note: `'${broken}' failed` }
      : await runOne(job, missing, out);
    const line = summary(job.name, result, Math.round((performance.now() - started) / 1000));
    results.set(job.name, { line, result });
    out.write(`${line}\n`);
    out.end();
  });
  return chosen.map(({ name }) => results.get(name));
}

/** `code`: exit code, 0 if all passed. `failures`: `{name, why, file}`, with `file` if a test file failed. */
export async function runSuites(names) {
  const unknown = names.filter((name) => !suites.some((suite) => suite.name === name));
  if (unknown.length > 0) {
    say(`No suite '${unknown.join("', '")}'; there are: ${suites.map(({ name }) => name).join(', ')}`);
    return { code: 2, failures: [] };
  }
  if (!(await ensureDependencies(say))) return { code: 1, failures: [] };
  const missing = ensureSystemPackages(names, say);
  const isWanted = (job) => (job.for ?? [job.name]).some((name) => names.includes(name));
  const done = await runAll(jobs.filter(isWanted), missing);
  const failures = done.flatMap(({ result }) => result.failures ?? []);
  for (const { name, why } of failures) say(`\nFailed: ${name}\n${why}`);
  say(`\n${done.map(({ line }) => line).join('\n')}`);
  const [passed, failed] = ['passed', 'failed'].map((kind) =>
    done.reduce((total, { result }) => total + result[kind], 0),
  );
  say(`${passed} passed, ${failed} failed`);
  return { code: failed > 0 || passed === 0 ? 1 : 0, failures };
}
