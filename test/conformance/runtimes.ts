/**
 * `npm run -s conformance -- runtimes HARNESS`: Kennel's runtime with the real program, fetched from npm into a
 * cache, against a scripted model on loopback.
 */
import type { HarnessCase, HarnessSuite } from './harness-suite.ts';

const suites: Readonly<Record<string, () => Promise<HarnessSuite>>> = {
  'claude-code': async () => (await import('./claude-code.ts')).claudeCodeSuite(),
  sdk: async () => (await import('./agent-sdk.ts')).agentSdkSuite(),
  gemini: async () => (await import('./acp-programs.ts')).acpSuites.gemini(),
  pi: async () => (await import('./acp-programs.ts')).acpSuites.pi(),
  'docker:pi': async () => (await import('./acp-programs.ts')).acpSuites.piInContainer(),
  opencode: async () => (await import('./acp-programs.ts')).acpSuites.opencode(),
  codex: async () => (await import('./acp-programs.ts')).acpSuites.codex(),
};

async function failureOf({ run }: HarnessCase): Promise<string | null> {
  try {
    return (await run()) ? null : 'it did not';
  } catch (error) {
    return String(error);
  }
}

/** Names of the programs that have a suite. */
export const harnessSuites: readonly string[] = Object.keys(suites);

/** In `npm test`, with their quick cases: together small enough to fetch, and one of each way to ask. */
const quickSuites = ['claude-code', 'gemini', 'pi'] as const;

async function runQuick(print: (line: string) => void): Promise<number> {
  let code = 0;
  for (const harness of quickSuites) {
    print(harness);
    code = Math.max(code, await runSuite(harness, print, ({ isQuick }) => isQuick === true));
  }
  return code;
}

/** Exit code 1 if a case failed; what this computer cannot run is reported and skipped. */
export const runRuntimes = (harness: string, print: (line: string) => void): Promise<number> =>
  harness === 'quick' ? runQuick(print) : runSuite(harness, print);

async function runSuite(
  harness: string,
  print: (line: string) => void,
  isWanted: (one: HarnessCase) => boolean = () => true,
): Promise<number> {
  const load = Object.hasOwn(suites, harness) ? suites[harness] : undefined;
  if (!load) throw new Error(`Usage: runtimes ${harnessSuites.join(' | ')} | quick; there is no ${harness}`);
  const suite = await load();
  if ('skipped' in suite) {
    print(`SKIPPED: ${suite.skipped}`);
    return 0;
  }
  let [passed, failed] = [0, 0];
  for (const one of suite.cases.filter(isWanted)) {
    if (one.notOffered) {
      print(`not offered ${one.name}: ${one.notOffered}`);
      continue;
    }
    if (one.skipped) {
      print(`SKIPPED: ${one.name}: ${one.skipped}`);
      continue;
    }
    const why = await failureOf(one);
    print(why === null ? `ok ${one.name}` : `not ok ${one.name}: ${why}`);
    if (why === null) passed += 1;
    else failed += 1;
  }
  await suite.end?.();
  print(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
