/**
 * `run_script`: a script in Python, JavaScript, TypeScript or bash, in the sandbox of `shell`, which may call the agent's
 * other tools. The script itself is decided like a shell line, and each of its calls once more by itself: to allow the
 * script allows none of its calls (T9). Without a sandbox it follows the rules of `shell`.
 */
import { z } from 'zod';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { utf8 } from '../../../core/lib/bytes.ts';
import type { Assessment, Effect } from '../../../core/policy/assessment.ts';
import type { OpenBroker, ToolBroker } from '../../../core/ptc/code-ports.ts';
import { KeptOutput } from '../../../core/ptc/kept-output.ts';
import { defineTool } from '../../../core/tools/define-tool.ts';
import { failureOutput, previewBody, toolErrorOutput } from '../../../core/tools/output.ts';
import type { InnerCalls, Tool, ToolCallContext, ToolOutput } from '../../../core/tools/tool.ts';
import { say } from '../../../language/say.ts';
import { createLinkedFilesCheck } from '../shell/linked-files.ts';
import {
  isRefusal,
  prepare,
  type ReadyLine,
  type Shell,
  type ShellToolPorts,
  teller,
} from '../shell/shell-tool.ts';
import { CodeCalls, callsText } from './code-calls.ts';
import { findScriptProgram, scriptFiles, scriptLanguages, startFiles } from './script-programs.ts';
import { WorkingTime } from './working-time.ts';

const description = [
  'Runs a script in Python, JavaScript (node), TypeScript or bash in the sandbox of your workspace. In the first three,',
  '`tools` holds your other tools as functions: Python `tools.read_file(path="a.md")`, tools of servers',
  '`tools.<server>.<tool>(…)`; JavaScript `await tools.read_file({ path: "a.md" })`. A refused or failed call throws ToolError.',
  'Only what the script prints comes back to you. tools.ls(), tools.search("words"), tools.describe("name") and',
  'tools.cat("lib/tools.py") tell about the tools. Use it for calculations, and for several calls whose results you combine.',
].join(' ');

const input = z.strictObject({
  language: z.enum(scriptLanguages),
  code: z.string().min(1).max(200_000).describe('The script.'),
  cwd: z.string().max(4_000).optional().describe('Working folder; the workspace by default.'),
  timeout_s: z.number().min(1).optional().describe('Seconds, without the time that calls take.'),
  justification: z.string().max(2_000).optional().describe('Why you want this, in one sentence.'),
});
type ScriptInput = z.output<typeof input>;

/** Bytes of each stream that are kept for the file of the full output. */
const mostOutputBytes = 8 * 1024 * 1024;
/** The programs are ended by `WorkingTime`; this only limits a run whose calls take days. */
const longestRunMs = 7 * 24 * 60 * 60_000;
const outputFolder = '.kennel/output';

export interface ScriptToolDeps {
  readonly shell: ShellToolPorts;
  readonly broker: ToolBroker;
}

const refusedPreview = ({ code, cwd = '' }: ScriptInput, language: string) =>
  ({
    kind: 'command',
    title: say('actions.runScript', { language }),
    ...previewBody(code),
    where: cwd,
  }) as const;

function effectsOf({ plan }: ReadyLine, { language, code }: ScriptInput): readonly Effect[] {
  return [
    { kind: 'run', argv: [language, '-c', code], cwd: plan.cwd, sandbox: plan.sandbox },
    ...plan.roots.writable.map((path): Effect => ({ kind: 'write', path })),
    ...(plan.network ? [{ kind: 'network', host: '*' } as const] : []),
  ];
}

/** `prepare` checks folders, links and the sandbox; the script is no shell line. */
const readyFor = (shell: Shell, { cwd }: ScriptInput, signal: AbortSignal, isSearched: boolean) =>
  prepare(shell, { cmd: 'true', ...(cwd === undefined ? {} : { cwd }) }, { signal, isSearched });

async function assess(shell: Shell, args: ScriptInput, { signal }: ToolCallContext): Promise<Assessment> {
  const ready = await readyFor(shell, args, signal, true);
  const preview = refusedPreview(args, args.language);
  if (isRefusal(ready))
    return { risk: 'high', effects: [], preview, blocked: { reason: ready.reason, message: ready.message } };
  const { plan } = ready;
  const isWalled = plan.sandbox !== 'none' && !plan.network;
  const where = plan.sandbox === 'none' ? say('approvals.noSandbox', { folder: plan.cwd }) : plan.cwd;
  return {
    risk: isWalled ? 'medium' : 'high',
    effects: effectsOf(ready, args),
    preview: { ...preview, where },
  };
}

interface ScriptRun {
  readonly deps: ScriptToolDeps;
  readonly args: ScriptInput;
  readonly ready: ReadyLine;
  readonly context: ToolCallContext;
  readonly inner: InnerCalls;
}

/** Saves the full output in the workspace; `null` if that fails. */
async function saveOutput({ deps, context, ready }: ScriptRun, text: string): Promise<string | null> {
  const { files } = deps.shell;
  const folder = `${ready.plan.roots.cwd}/${outputFolder}`;
  const name = `${context.turnId}-${context.callId}`.replace(/[^\w.-]/g, '_').slice(-120);
  const path = `${folder}/${name}.txt`;
  const made = await files.makeFolder(folder, true, 'private');
  if (!made.ok) return null;
  const written = await files.write(path, utf8(text), 'replace');
  return written.ok ? path : null;
}

/** The output of a script, also of one that was ended. */
class ScriptOutput {
  readonly #chunks = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };

  add(stream: 'stdout' | 'stderr', bytes: Uint8Array): void {
    this.#chunks[stream].push(bytes);
  }

  text(stream: 'stdout' | 'stderr'): string {
    return Buffer.concat(this.#chunks[stream]).toString().trimEnd();
  }
}

interface ScriptEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly isLate: boolean;
  readonly ms: number;
}

const shortened = (text: string, limit: number): KeptOutput => {
  const kept = new KeptOutput(limit);
  kept.add(text);
  return kept;
};

async function report(
  run: ScriptRun,
  { exitCode, signal, isLate, ms }: ScriptEnd,
  written: ScriptOutput,
  calls: CodeCalls,
): Promise<ToolOutput> {
  const limit = run.deps.shell.maxOutputChars;
  const [stdout, stderr] = [written.text('stdout'), written.text('stderr')];
  const [printed, errors] = [shortened(stdout, limit), shortened(stderr, Math.ceil(limit / 4))];
  const isCut = printed.cut + errors.cut > 0;
  const saved = isCut
    ? await saveOutput(run, stderr === '' ? stdout : `${stdout}\n[stderr]\n${stderr}`)
    : null;
  const ended = isLate ? 'Ended: timeout' : `Exit code: ${exitCode ?? signal ?? 'none'}`;
  const text = [
    `${ended}, after ${Math.round(ms)} ms, ${callsText(calls.records)}.`,
    ...(stdout === '' ? [] : [`Printed:\n${printed.text}`]),
    ...(stderr === '' ? [] : [`Errors:\n${errors.text}`]),
    ...(saved === null ? [] : [`The full output is in ${saved}.`]),
  ].join('\n');
  const isOk = exitCode === 0 && !isLate;
  const details = {
    exit_code: exitCode,
    timed_out: isLate,
    duration_ms: Math.round(ms),
    stdout: printed.text,
    stderr: errors.text,
    truncated: isCut,
    full_output: saved,
    innerCalls: calls.records,
  };
  return { content: [{ type: 'text', text }], details, ...(isOk ? {} : { isError: true }) };
}

function environment({ plan }: ReadyLine, folder: string): Record<string, string> {
  const skills = `${folder}/skills`;
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    TMPDIR: '/tmp',
    HOME: plan.sandbox === 'none' ? plan.roots.cwd : '/tmp',
    PYTHONPATH: `${skills}/lib`,
    PYTHONDONTWRITEBYTECODE: '1',
    PTC_SKILLS_DIR: skills,
  };
}

function filesOf(calls: CodeCalls, { language, code }: ScriptInput): ReadonlyMap<string, string> {
  const skills = [...calls.files()].map(([path, text]): [string, string] => [`skills/${path}`, text]);
  return new Map([...skills, ...Object.entries(startFiles), [scriptFiles[language], code]]);
}

/** Starts the program, and ends it when its working time is over. */
async function runProgram(
  { deps, args, ready, context }: ScriptRun,
  broker: OpenBroker,
  { stop, onTime }: { readonly stop: AbortController; onTime(time: WorkingTime): void },
  written: ScriptOutput,
): Promise<Result<ScriptEnd>> {
  const { clock, sandbox, process: plain, timeoutS } = deps.shell;
  const found = findScriptProgram(args.language, broker.folder);
  if (!found) return err(fail('unavailable', 'tools.noScriptProgram', { language: args.language }));
  const tell = teller(deps.shell, context);
  const request = {
    program: found.program,
    args: found.args,
    cwd: ready.plan.cwd,
    env: { ...environment(ready, broker.folder), ...broker.env },
    timeoutMs: longestRunMs,
    maxStdoutBytes: mostOutputBytes,
    maxStderrBytes: mostOutputBytes,
    onOutput: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => {
      written.add(stream, bytes);
      tell(bytes);
    },
  };
  const begun = clock.monotonic();
  const limitMs = Math.min(args.timeout_s ?? timeoutS, timeoutS) * 1000;
  const time = new WorkingTime(clock, limitMs, () => stop.abort());
  onTime(time);
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const view = { ...ready.view, readable: [...ready.view.readable, ...found.readable] };
  const outcome = sandbox ? await sandbox.run(request, view, signal) : await plain.run(request, signal);
  time.stop();
  const ms = clock.monotonic() - begun;
  if (time.isOver) return ok({ exitCode: null, signal: null, isLate: true, ms });
  if (!outcome.ok) return outcome;
  const { exitCode, signal: killedBy } = outcome.value;
  return ok({ exitCode, signal: killedBy, isLate: false, ms });
}

async function runScript(run: ScriptRun): Promise<ToolOutput> {
  const { deps, args, context, inner } = run;
  const calls = new CodeCalls(inner);
  const stop = new AbortController();
  let time: WorkingTime | null = null;
  const opened = await deps.broker.open({
    files: filesOf(calls, args),
    call: (tool, given, signal) => {
      const work = () => calls.call(tool, given, AbortSignal.any([signal, context.signal, stop.signal]));
      return time ? time.outside(work) : work();
    },
  });
  if (!opened.ok) return failureOutput(opened.error);
  const written = new ScriptOutput();
  const onTime = (started: WorkingTime): void => {
    time = started;
  };
  try {
    const end = await runProgram(run, opened.value, { stop, onTime }, written);
    return end.ok ? await report(run, end.value, written, calls) : failureOutput(end.error);
  } finally {
    await opened.value.close();
  }
}

export function createScriptTool(deps: ScriptToolDeps): Tool {
  const { sandbox, clock, linkedFiles } = deps.shell;
  const checkLinks = sandbox && !linkedFiles ? createLinkedFilesCheck({ sandbox, clock }) : null;
  const shell: Shell = { ports: deps.shell, checkLinks, searched: new Set() };
  return defineTool({
    name: 'run_script',
    group: 'shell',
    core: false,
    description,
    input,
    replay: 'never',
    callsTools: true,
    foreign: true,
    assess: (args, context) => assess(shell, args, context),
    async execute(args, context) {
      const { inner } = context;
      if (!inner) return toolErrorOutput('Scripts cannot call tools here, so it was not run.');
      const ready = await readyFor(shell, args, context.signal, false);
      if (isRefusal(ready)) return toolErrorOutput(`run_script blocked: ${ready.reason}\n${ready.message}`);
      return runScript({ deps, args, ready, context, inner });
    },
  });
}
