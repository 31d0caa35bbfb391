/**
 * Runs the code of one call of a patched client: JavaScript and TypeScript in an interpreter without files and network,
 * `bash` and `python` in an executor, and files into the working folder. Every call of a tool is approved by itself.
 */
import { stripTypeScriptTypes } from 'node:module';
import { errorText } from '../../contract/errors.ts';
import { once } from '../../contract/once.ts';
import { createSemaphore } from '../../core/lib/semaphore.ts';
import { bindTools } from '../../core/ptc/binding-names.ts';
import type { CodeAnswer, CodeEngine } from '../../core/ptc/code-ports.ts';
import { type Directive, fileContent } from '../../core/ptc/directive.ts';
import { answerQuestion } from '../../core/ptc/discover-tools.ts';
import { generateSkills } from '../../core/ptc/generated-skills.ts';
import type { ConfinedFiles } from '../../core/tools/confined-files.ts';
import type { CodeExecution } from './code-execution.ts';
import type { CodeExecutor } from './code-executor.ts';
import type { RunCallsDeps, ToolCall, ToolResult } from './tool-pool.ts';

export interface CodeRunsDeps {
  readonly engine: CodeEngine;
  /** `null`: only JavaScript and TypeScript run. */
  readonly executor: CodeExecutor | null;
  /** Of the working folder. */
  readonly files: ConfinedFiles;
  readonly calls: RunCallsDeps;
  /** Answers one call of a tool, approved and logged. */
  readonly call: (call: ToolCall) => Promise<ToolResult>;
}

interface Ran {
  readonly output: string;
  readonly exitCode: number | null;
  readonly isError: boolean;
}

const limits = {
  sliceMs: 2_000,
  computeMs: 10_000,
  memoryBytes: 64 * 1_048_576,
  outputCharacters: 1_000_000,
};
const mostParallel = 4;

const languages: Readonly<Record<string, 'bash' | 'python' | 'javascript' | 'typescript'>> = {
  bash: 'bash',
  sh: 'bash',
  python: 'python',
  py: 'python',
  javascript: 'javascript',
  js: 'javascript',
  node: 'javascript',
  typescript: 'typescript',
  ts: 'typescript',
};

const failed = (output: string): Ran => ({ output, exitCode: null, isError: true });

/** Data if the text is JSON of an object or a list. */
function dataOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const joined = (...parts: readonly string[]): string =>
  parts
    .filter((part) => part !== '')
    .map((part) => part.replace(/\n$/, ''))
    .join('\n');

export class CodeRuns {
  readonly #deps: CodeRunsDeps;
  readonly #slot = createSemaphore(mostParallel);
  #count = 0;

  constructor(deps: CodeRunsDeps) {
    this.#deps = deps;
  }

  /** Concurrently, but a file is written after what precedes it and before what follows it. Results in order. */
  all(directives: readonly Directive[]): Promise<readonly CodeExecution[]> {
    const started: Promise<CodeExecution>[] = [];
    let written: Promise<unknown> = Promise.resolve();
    for (const { action, target, body } of directives) {
      if (action === 'create') {
        written = Promise.all(started);
        const before = written;
        const writing = before.then(() => this.#recorded(`${target}:create`, body));
        started.push(writing);
        written = writing;
      } else {
        const before = written;
        started.push(before.then(() => this.#slot(() => this.#recorded(target, body))));
      }
    }
    return Promise.all(started);
  }

  one(language: string, code: string): Promise<CodeExecution> {
    return this.#slot(() => this.#recorded(language, code));
  }

  async #recorded(target: string, code: string): Promise<CodeExecution> {
    const { clock, log } = this.#deps.calls;
    this.#count += 1;
    const id = `ptc_${this.#count}`;
    log?.({ type: 'tool_call', tool_type: 'code', id, name: target, input: code });
    const start = clock.monotonic();
    const { output, exitCode, isError } = await this.#run(target, code).catch((error: unknown) =>
      failed(errorText(error)),
    );
    const durationMs = Math.round(clock.monotonic() - start);
    log?.({
      type: 'tool_result',
      tool_type: 'code',
      id,
      name: target,
      output,
      is_error: isError,
      duration_ms: durationMs,
    });
    return { id, target, code, output, exitCode, durationMs, status: isError ? 'failed' : 'completed' };
  }

  async #run(target: string, code: string): Promise<Ran> {
    const file = /^(.*):create$/.exec(target)?.[1];
    if (file !== undefined) return this.#create(file, code);
    const language = languages[target.toLowerCase()];
    if (language === undefined) return failed(`Code in ${target} cannot be run.`);
    if (code.trim() === '') return failed('There is no code.');
    if (language === 'javascript') return this.#interpret(code, this.#deps.calls.signal);
    if (language === 'typescript') return this.#interpret(plainScript(code), this.#deps.calls.signal);
    const { executor, calls } = this.#deps;
    const { signal } = calls;
    if (!executor) return failed(`Nothing runs ${language} here. JavaScript runs.`);
    if (!(await this.#isApproved(language, { code }))) return failed('The code was refused.');
    const { exitCode, stdout, stderr, timedOut } = await executor.run({ language, code, signal });
    const output = joined(stdout, stderr, timedOut ? 'The code took too long, and was stopped.' : '');
    return { output, exitCode, isError: timedOut || exitCode !== 0 };
  }

  async #create(path: string, body: string): Promise<Ran> {
    const { files } = this.#deps;
    if (/^[/\\~]|^[a-z]:/i.test(path)) return failed('A file needs a name below the working folder.');
    if (!(await this.#isApproved('create', { path, content: body }))) return failed('The file was refused.');
    const slash = path.lastIndexOf('/');
    const folder = slash > 0 ? await files.makeFolder(path.slice(0, slash), true) : null;
    if (folder && !folder.ok) return failed(folder.error.message);
    const content = new TextEncoder().encode(fileContent({ body }));
    const wrote = await files.write(path, content, 'replace');
    return wrote.ok
      ? { output: `Created file: ${path}`, exitCode: 0, isError: false }
      : failed(wrote.error.message);
  }

  async #isApproved(name: string, args: Readonly<Record<string, unknown>>): Promise<boolean> {
    const { approve } = this.#deps.calls;
    return approve === undefined || (await approve({ name, args }));
  }

  async #interpret(code: string, signal: AbortSignal): Promise<Ran> {
    const { engine, calls: shared } = this.#deps;
    const { tools } = shared;
    const bindings = bindTools(tools);
    const files = once(() => generateSkills(bindings));
    let calls = 0;
    const answer = async (name: string, args: unknown): Promise<CodeAnswer> => {
      const known = answerQuestion({ bindings, files }, name, args);
      if (known) return known;
      calls += 1;
      const id = `ptc_${this.#count}_${calls}`;
      const result = await this.#deps.call({ id, name, argumentsText: JSON.stringify(args) });
      if (result.isError) return { type: 'error', tool: name, message: result.text };
      return { type: 'value', value: result.structured ?? dataOf(result.text) };
    };
    const functions = bindings.map(({ path, tool }) => ({ path, tool: tool.name }));
    const outcome = await engine.run({ code, limits, functions, call: answer }, signal);
    const output = joined(outcome.printed, outcome.returned ?? '', outcome.error ?? '');
    const isError = outcome.end !== 'done';
    return { output, exitCode: isError ? 1 : 0, isError };
  }
}

/** JavaScript of a TypeScript body. Throws for syntax that is more than types. */
function plainScript(code: string): string {
  const [before, after] = ['async () => {', '\n}'];
  const stripped = stripTypeScriptTypes(`${before}${code}${after}`);
  return stripped.slice(before.length, -after.length);
}
