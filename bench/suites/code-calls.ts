/**
 * Code that calls tools: 100 calls of a Python script through the broker, a run of QuickJS with one call, the parser of
 * directives on texts of two sizes, and the tokens that code saves in a scripted task of 20 calls.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { textTokens } from '../../src/core/loop/tokens.ts';
import { bindTools } from '../../src/core/ptc/binding-names.ts';
import type { CodeAnswer } from '../../src/core/ptc/code-ports.ts';
import { parseDirectives } from '../../src/core/ptc/directive-parser.ts';
import { generateSkills } from '../../src/core/ptc/generated-skills.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { createQuickJsEngine } from '../../src/services/code/quickjs-engine.ts';
import { createToolBroker } from '../../src/services/code/tool-broker.ts';
import { median, report } from '../lib/measure.ts';

const rounds = 25;
const file = 'x'.repeat(4_000);
const answer = async (): Promise<CodeAnswer> => ({ type: 'value', value: file });

async function repeat(measure: () => Promise<number>): Promise<number> {
  await measure();
  const all: number[] = [];
  for (let n = 0; n < rounds; n += 1) all.push(await measure());
  return median(all);
}

/** ms of the calls alone, as the script measures them. */
async function brokerMs(): Promise<number> {
  const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
  const bindings = bindTools([{ name: 'read_file', description: 'Reads a file.', parameters }]);
  const opened = await createToolBroker().open({ files: generateSkills(bindings), call: answer });
  if (!opened.ok) throw new Error(opened.error.message);
  const { folder, env, close } = opened.value;
  const code = [
    'import time, tools',
    'begun = time.perf_counter()',
    'for i in range(100): tools.read_file(path=str(i))',
    'print((time.perf_counter() - begun) * 1000)',
  ].join('\n');
  try {
    const options = { env: { ...env, PATH: '/usr/bin:/bin', PYTHONPATH: join(folder, 'lib') } };
    const { stdout } = await promisify(execFile)('python3', ['-c', code], options);
    return Number(stdout);
  } finally {
    await close();
  }
}

const engine = createQuickJsEngine(createSystemClock());
const limits = { sliceMs: 2_000, computeMs: 10_000, memoryBytes: 64 * 1024 * 1024, outputCharacters: 20_000 };

async function quickJsMs(): Promise<number> {
  const functions = [{ path: ['read_file'], tool: 'read_file' }];
  const code = 'return (await tools.read_file({ path: "a" })).length';
  const begun = performance.now();
  await engine.run({ code, functions, limits, call: answer }, new AbortController().signal);
  return performance.now() - begun;
}

const piece = 'Some text with `code` and ~~marks~~ in it.\n```js\nlet a;\n```\n';
/** ms of processor time, so that the load of the machine does not matter. */
const parserMs = async (copies: number): Promise<number> => {
  const text = piece.repeat(copies);
  const begun = process.cpuUsage();
  parseDirectives(text);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
};

/** Input tokens of all requests of a task that reads 20 files and returns one number. */
function tokensOfTask(): { readonly direct: number; readonly code: number } {
  const system = 2_000;
  const call = textTokens(JSON.stringify({ name: 'read_file', arguments: { path: 'notes/file-01.md' } }));
  const result = textTokens(file);
  // Each further request of direct calls carries all calls and results before it.
  let direct = 0;
  for (let done = 0; done <= 20; done += 1) direct += system + done * (call + result);
  const script = textTokens(
    'let n = 0; for (let i = 1; i <= 20; i++) n += (await tools.read_file({ path: "notes/file-" + i })).length; return n;',
  );
  const code =
    system +
    (system + script + textTokens('Ended: done, after 20 ms, 20 calls: read_file 20.\nReturned: 80000'));
  return { direct, code };
}

const broker = await repeat(brokerMs);
const quickJs = await repeat(quickJsMs);
const [small, large] = [await repeat(() => parserMs(2_000)), await repeat(() => parserMs(20_000))];
const { direct, code } = tokensOfTask();

report([
  {
    name: '100 calls of a Python script through the broker, ms / 1,000',
    ratio: broker / 1_000,
    goal: 1,
    better: 'lower',
    figures: { ms: broker },
  },
  {
    name: 'run of QuickJS with one call, ms / 15',
    ratio: quickJs / 15,
    goal: 1,
    better: 'lower',
    figures: { ms: quickJs },
  },
  {
    name: 'parser of directives: time per character of a text ten times as long',
    ratio: large / (10 * small),
    goal: 1.5,
    better: 'lower',
    figures: { smallMs: small, largeMs: large },
  },
  {
    name: 'input tokens of 20 direct calls / those of one code',
    ratio: direct / code,
    goal: 4,
    better: 'higher',
    figures: { direct, code },
    note: 'counted from the texts of a scripted task; no model was asked',
  },
]);
process.exit(0);
