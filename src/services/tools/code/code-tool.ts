/**
 * `code`: JavaScript of the model that calls the agent's other tools. The code itself can cause no effect; each of its
 * calls is decided at the approval gate as if the model had made it directly. A refused or failed call throws `ToolError`
 * in the code. Results count as untrusted content, because they may hold anything that the calls read (T9).
 */
import { z } from 'zod';
import { isRecord } from '../../../contract/is-record.ts';
import { once } from '../../../contract/once.ts';
import { bindTools } from '../../../core/ptc/binding-names.ts';
import type { CodeAnswer, CodeEngine, CodeOutcome } from '../../../core/ptc/code-ports.ts';
import { answerQuestion } from '../../../core/ptc/discover-tools.ts';
import { generateSkills } from '../../../core/ptc/generated-skills.ts';
import { defineTool } from '../../../core/tools/define-tool.ts';
import { previewBody, toolErrorOutput } from '../../../core/tools/output.ts';
import type { InnerCallEnd, InnerCalls, Tool, ToolOutput } from '../../../core/tools/tool.ts';
import { say } from '../../../language/say.ts';

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

/** Value of a call in the code: the structured content of the result, otherwise its text, parsed if it is JSON. */
function resultValue({ content, details }: ToolOutput): unknown {
  if (isRecord(details) && 'structuredContent' in details) return details.structuredContent;
  if (content.some(({ type }) => type !== 'text')) return content;
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function answerOf(tool: string, { output, state }: InnerCallEnd): CodeAnswer {
  if (state === 'done') return { type: 'value', value: resultValue(output) };
  const value = resultValue(output);
  const message = typeof value === 'string' ? value : JSON.stringify(value);
  const { details } = output;
  const structured =
    isRecord(details) && 'structuredContent' in details ? details.structuredContent : undefined;
  return { type: 'error', tool, message, ...(structured === undefined ? {} : { structured }) };
}

interface CallRecord {
  readonly callId: string;
  readonly tool: string;
  readonly state: InnerCallEnd['state'];
}

/** "5 calls: read_file 4, write_file 1 (1 denied)". */
function callsText(calls: readonly CallRecord[]): string {
  if (calls.length === 0) return 'no calls';
  const names = [...new Set(calls.map(({ tool }) => tool))];
  const parts = names.map((name) => {
    const all = calls.filter(({ tool }) => tool === name);
    const notes = (['failed', 'denied'] as const).flatMap((state) => {
      const count = all.filter((call) => call.state === state).length;
      return count === 0 ? [] : [`${count} ${state}`];
    });
    return `${name} ${all.length}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
  });
  return `${calls.length} ${calls.length === 1 ? 'call' : 'calls'}: ${parts.join(', ')}`;
}

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
  const bindings = bindTools(inner.tools);
  const calls: CallRecord[] = [];
  const files = once(() => generateSkills(bindings));
  const started = clock.monotonic();
  const loaded = await engine();
  const outcome = await loaded.run(
    {
      code,
      limits,
      functions: bindings.map(({ path, tool }) => ({ path, tool: tool.name })),
      call: async (tool, args, callSignal) => {
        const known = answerQuestion({ bindings, files }, tool, args);
        if (known) return known;
        const end = await inner.call(tool, args, callSignal);
        calls.push({ callId: end.callId, tool, state: end.state });
        return answerOf(tool, end);
      },
    },
    signal,
  );
  const text = resultText(outcome, calls, clock.monotonic() - started);
  const details = { end: outcome.end, computeMs: outcome.computeMs, innerCalls: calls };
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
