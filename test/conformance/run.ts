/**
 * `npm run -s conformance -- SUITE FILE.json`: runs a file of recorded cases against the product's own
 * functions. Prints one line per case, then `N passed, N failed`; exit code 1 if a case failed.
 */
import { readFileSync } from 'node:fs';
import { selectCryptoEngine } from '../../src/services/crypto/select-engine.ts';
import type { CaseResult, FileSuite, SlowSection, Suite } from './case.ts';

/** Members of a file that are metadata instead of cases. */
const metadata = new Set(['format', 'source', 'about', 'notes', 'title']);
const isMetadata = (name: string, value: unknown): boolean =>
  metadata.has(name) || (name.endsWith('_note') && typeof value === 'string');

const suites: Readonly<Record<string, () => Promise<Suite | FileSuite>>> = {
  'puffo-wire': async () => {
    const selected = await selectCryptoEngine();
    if (!selected.ok) throw new Error(selected.error.message);
    return (await import('./puffo-wire.ts')).puffoWire(selected.value.engine);
  },
  'puffo-local': async () => {
    const { slow, suite } = await import('./puffo-local.ts');
    return (file) => runSlowly(suite, slow, file);
  },
  'harness-output': async () => (await import('./harness-output.ts')).harnessOutput,
  loop: async () => (await import('./loop.ts')).loopSuite,
  workflow: async () => (await import('./workflow.ts')).workflowSuite,
  'ptc-fences': async () => (await import('./ptc-fences.ts')).ptcFences,
  'bash-exec': async () => (await import('./bash-exec.ts')).bashExecSuite(true),
};

function runSection(
  suite: Suite,
  name: string,
  file: Readonly<Record<string, unknown>>,
): readonly CaseResult[] {
  const section = Object.hasOwn(suite, name) ? suite[name] : undefined;
  if (!section) return [{ name, why: 'unknown section' }];
  try {
    const cases = section(file[name], file);
    const named = cases.map((each) => ({ ...each, name: `${name}/${each.name}` }));
    return named.length > 0 ? named : [{ name, why: 'the section holds no cases' }];
  } catch (error) {
    return [{ name, why: `cannot be read: ${error instanceof Error ? error.message : String(error)}` }];
  }
}

export function runFile(suite: Suite, file: Readonly<Record<string, unknown>>): readonly CaseResult[] {
  return Object.keys(file)
    .filter((name) => !isMetadata(name, file[name]))
    .flatMap((name) => runSection(suite, name, file));
}

/** Like `runFile`, with slow sections. */
export async function runSlowly(
  suite: Suite,
  slow: Readonly<Record<string, SlowSection>>,
  file: Readonly<Record<string, unknown>>,
): Promise<readonly CaseResult[]> {
  const quick = Object.fromEntries(Object.entries(file).filter(([name]) => !Object.hasOwn(slow, name)));
  const results = [...runFile(suite, quick)];
  for (const [name, section] of Object.entries(slow)) {
    if (!Object.hasOwn(file, name)) continue;
    try {
      const cases = await section(file[name], file);
      results.push(...cases.map((each) => ({ ...each, name: `${name}/${each.name}` })));
    } catch (error) {
      results.push({
        name,
        why: `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      });
    }
  }
  return results;
}

export const readCases = (path: string): Readonly<Record<string, unknown>> => {
  const file: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (typeof file !== 'object' || file === null || Array.isArray(file))
    throw new Error('the file is not an object');
  return file as Readonly<Record<string, unknown>>;
};

/** Returns the exit code. */
export async function main(args: readonly string[], print: (line: string) => void): Promise<number> {
  const [suiteName, path] = args;
  if (suiteName === 'runtimes' && path !== undefined)
    return (await import('./runtimes.ts')).runRuntimes(path, print);
  const load = suiteName !== undefined && Object.hasOwn(suites, suiteName) ? suites[suiteName] : undefined;
  if (!load || path === undefined) {
    print(
      `usage: npm run -s conformance -- SUITE FILE.json, where SUITE is ${Object.keys(suites).join(' or ')}`,
    );
    return 2;
  }
  const suite = await load();
  const file = readCases(path);
  const results = typeof suite === 'function' ? await suite(file) : runFile(suite, file);
  for (const { name, why } of results) print(why === null ? `ok ${name}` : `not ok ${name}: ${why}`);
  const failed = results.filter((result) => result.why !== null).length;
  print(`${results.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
