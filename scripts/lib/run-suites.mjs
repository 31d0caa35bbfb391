/** Runs suites one by one and ends with what failed, a line for each and, alone on the last line, the total. */
import { ensureSystemPackages } from './debian-packages.mjs';
import { ensureDependencies } from './setup.mjs';
import { suites } from './suites.mjs';

const say = (line) => console.log(line);
const underCi = Boolean(process.env.CI);

async function runOne(suite, missing) {
  const lacking = missing.filter(({ suites: users }) => suite.window && users.includes(suite.name));
  if (lacking.length > 0) {
    const why = `system packages are missing: ${lacking.map((each) => each.package).join(' ')}`;
    return underCi
      ? { passed: 0, failed: 1, skipped: 0, note: why }
      : { passed: 0, failed: 0, skipped: 0, excused: why };
  }
  try {
    return await suite.run();
  } catch (error) {
    return { passed: 0, failed: 1, skipped: 0, note: String(error?.message ?? error) };
  }
}

function summary(name, result, seconds) {
  if (result.excused) return `${name}: SKIPPED: ${result.excused}`;
  const skipped = result.skipped > 0 ? `, ${result.skipped} skipped` : '';
  const note = result.note ? ` (${result.note})` : '';
  return `${name}: ${result.passed} passed, ${result.failed} failed${skipped}, ${seconds} s${note}`;
}

/** `code`: the exit code, 0 when nothing failed. `failures`: `{name, why, file}`, the file where a test file failed. */
export async function runSuites(names) {
  const unknown = names.filter((name) => !suites.some((suite) => suite.name === name));
  if (unknown.length > 0) {
    say(`No suite '${unknown.join("', '")}'; there are: ${suites.map(({ name }) => name).join(', ')}`);
    return { code: 2, failures: [] };
  }
  if (!(await ensureDependencies(say))) return { code: 1, failures: [] };
  const chosen = suites.filter(({ name }) => names.includes(name));
  const missing = ensureSystemPackages(names, say);
  const lines = [];
  const failures = [];
  const total = { passed: 0, failed: 0 };
  for (const suite of chosen) {
    say(`\n== ${suite.name}`);
    const started = Date.now();
    const result = await runOne(suite, missing);
    const line = summary(suite.name, result, Math.round((Date.now() - started) / 1000));
    say(line);
    lines.push(line);
    failures.push(...(result.failures ?? []));
    total.passed += result.passed;
    total.failed += result.failed;
  }
  for (const { name, why } of failures) say(`\nFailed: ${name}\n${why}`);
  say(`\n${lines.join('\n')}`);
  say(`${total.passed} passed, ${total.failed} failed`);
  return { code: total.failed > 0 || total.passed === 0 ? 1 : 0, failures };
}
