/**
 * `code`: JavaScript of the model that calls the agent's other tools. The code itself can cause no effect; each of its
 * calls is decided at the approval gate as if the model had made it directly. A refused or failed call throws `ToolError`
 * in the code. Results count as untrusted content, because they may hold anything that the calls read (T9).
 */
import { z } from 'zod';
import type { CodeEngine, CodeOutcome } from '../../../core/ptc/code-ports.ts';
import { defineTool } from '../../../core/tools/define-tool.ts';
import { previewBody, toolErrorOutput } from '../../../core/tools/output.ts';
import type { InnerCalls, Tool, ToolOutput } from '../../../core/tools/tool.ts';
import { say } from '../../../language/say.ts';
import { type CallRecord, CodeCalls, callsText } from './code-calls.ts';

const description = [
  'Runs JavaScript that calls your other tools: `const text = await tools.read_file({ path: "a.md" })`. Use it for several',
  'calls whose results you combine, filter or count: only what the code prints or returns comes back to you. The code is the',
  'body of an async function without files, network, timers and modules of its own. console.log prints; a last `return` gives a',
  'value. Results are text, or data if the text is JSON. Every call is checked and asked about like a direct one; a refused or',
  'failed call throws ToolError. Promise.all runs calls concurrently. await tools.ls() lists the tools,',
  'await tools.search("read") finds some, await tools.describe("read_file") gives the arguments and the result of one.',
].join(' ');

const limits = { sliceMs: 2_000, computeMs: 10_000, memoryBytes: 64 * 1024 * 1024, outputCharacters: 20_000 };
const longestReturned = 20_000;

const input = z.strictObject({
  code: z.string().min(1).max(100_000).describe('JavaScript, the body of an async function.'),
});

function resultText(outcome: CodeOutcome, calls: readonly CallRecord[], ms: number): string {
  const { end, error, printed, returned } = outcome;
  const cut = returned !== null && returned.length > longestReturned;
  return [
    `Ended: ${end}, after ${Math.round(ms)} ms (${outcome.computeMs} ms of computing), ${callsText(calls)}.`,
    ...(error === null ? [] : [`Error: ${error}`]),
    ...(printed === '' ? [] : [`Printed:\n${printed.trimEnd()}`]),
    ...(returned === null ? [] : [`Returned: ${returned.slice(0, longestReturned)}`]),
    ...(cut ? [`The returned value was cut: it has ${returned.length} characters.`] : []),
  ].join('\n');
}

export interface CodeToolDeps {
  /** Loaded with the first code. */
  engine(): Promise<CodeEngine>;
  readonly clock: { monotonic(): number };
}

async function runCode(
  { engine, clock }: CodeToolDeps,
  code: string,
  inner: InnerCalls,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const calls = new CodeCalls(inner);
  const started = clock.monotonic();
  const loaded = await engine();
  const outcome = await loaded.run(
    {
      code,
      limits,
      functions: calls.bindings.map(({ path, tool }) => ({ path, tool: tool.name })),
      call: (tool, args, callSignal) => calls.call(tool, args, callSignal),
    },
    signal,
  );
  const text = resultText(outcome, calls.records, clock.monotonic() - started);
  const details = { end: outcome.end, computeMs: outcome.computeMs, innerCalls: calls.records };
  return { content: [{ type: 'text', text }], details, ...(outcome.end === 'done' ? {} : { isError: true }) };
}

export function createCodeTool(deps: CodeToolDeps): Tool {
  return defineTool({
    name: 'code',
    group: 'code',
    core: false,
    description,
    input,
    replay: 'never',
    executionMode: 'sequential',
    callsTools: true,
    foreign: true,
    // Its calls record what they read.
    reveals: [],
    assess: ({ code }) => ({
      risk: 'low',
      effects: [],
      preview: { kind: 'text', title: say('actions.runCode'), where: '', ...previewBody(code) },
    }),
    async execute({ code }, { inner, signal }) {
      if (!inner) return toolErrorOutput('Code cannot call tools here, so it was not run.');
      return runCode(deps, code, inner, signal);
    },
  });
}
