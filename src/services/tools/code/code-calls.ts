/** Calls that code makes: questions about the tools are answered here, all others go to the gate (`InnerCalls`). */
import { isRecord } from '../../../contract/is-record.ts';
import { once } from '../../../contract/once.ts';
import { bindTools } from '../../../core/ptc/binding-names.ts';
import type { CodeAnswer } from '../../../core/ptc/code-ports.ts';
import { answerQuestion } from '../../../core/ptc/discover-tools.ts';
import { generateSkills } from '../../../core/ptc/generated-skills.ts';
import type { InnerCallEnd, InnerCalls, ToolOutput } from '../../../core/tools/tool.ts';

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

export interface CallRecord {
  readonly callId: string;
  readonly tool: string;
  readonly state: InnerCallEnd['state'];
}

/** "5 calls: read_file 4, write_file 1 (1 denied)". */
export function callsText(calls: readonly CallRecord[]): string {
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

/** The tools of a running call as functions, and a record of what was called. */
export class CodeCalls {
  readonly bindings: ReturnType<typeof bindTools>;
  readonly files: () => ReturnType<typeof generateSkills>;
  readonly records: CallRecord[] = [];
  readonly #inner: InnerCalls;

  constructor(inner: InnerCalls) {
    this.#inner = inner;
    this.bindings = bindTools(inner.tools);
    this.files = once(() => generateSkills(this.bindings));
  }

  async call(tool: string, args: unknown, signal: AbortSignal): Promise<CodeAnswer> {
    const known = answerQuestion(this, tool, args);
    if (known) return known;
    const end = await this.#inner.call(tool, args, signal);
    this.records.push({ callId: end.callId, tool, state: end.state });
    return answerOf(tool, end);
  }
}
