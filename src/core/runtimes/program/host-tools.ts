/** Runs a tool of the host that a program calls, behind the approval gate. */
import { runBody } from '../../loop/tool-body.ts';
import { validateArguments } from '../../loop/validate-arguments.ts';
import type { UserContent } from '../../models/messages.ts';
import type { CallGate, CallGateParts } from './call-gate.ts';
import { isOffered } from './offered-tools.ts';

/** MCP server with the tools of the host. */
export const hostServer = 'puffo';

export interface HostCall {
  readonly callId: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface HostCallEnd {
  readonly content: readonly UserContent[];
  readonly isError: boolean;
}

const toolAbortMs = 5_000;

/** `left`: the program takes no result any more. */
export async function runHostTool(
  { live, record, tools, clock }: CallGateParts,
  calls: CallGate,
  { callId, name, args: given }: HostCall,
  left?: AbortSignal,
): Promise<HostCallEnd> {
  const known = live.parts.kit.tools.find((one) => one.name === name && isOffered(one));
  const tool = known && tools.loopTools.find((one) => one.name === name);
  if (!tool) return failed(`There is no tool named ${name}.`);
  live.steps.begin(callId, name, given);
  const checked = validateArguments(tool, { arguments: given });
  if (!checked.ok) return failed(checked.error);
  const args = checked.value;
  const reason = await calls.ask(callId, tool, args);
  if (reason !== null) {
    calls.refused.add(callId);
    return failed(reason);
  }
  const signal = left ? AbortSignal.any([live.abort.signal, left]) : live.abort.signal;
  if (signal.aborted) return failed('The turn was stopped.');
  record.started(callId, name, args);
  const limits = { clock, signal, timeoutMs: tool.timeoutMs ?? null, abortMs: toolAbortMs };
  const { output, isError } = await runBody(tool, callId, args, limits, (partial) =>
    live.steps.progress(callId, partial),
  );
  return { content: [...output.content], isError };
}

const failed = (text: string): HostCallEnd => ({ content: [{ type: 'text', text }], isError: true });
