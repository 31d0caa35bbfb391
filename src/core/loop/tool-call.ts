/**
 * Processes one call up to its result message: look-up, validation, approval, record, execution, record.
 * Every error becomes the text of an error result; every call gets exactly one result.
 */
import { errorText } from '../../contract/errors.ts';
import type { AssistantMessage, ToolCallBlock, ToolResultMessage } from '../models/messages.ts';
import type { ToolOutput } from '../tools/tool.ts';
import type { CallView } from './loop-config.ts';
import type { LoopTool } from './loop-tool.ts';
import type { Run } from './run.ts';
import { type BodyEnd, errorOutput, runBody } from './tool-body.ts';
import { validateArguments } from './validate-arguments.ts';

const defaultAbortMs = 30_000;

export interface ReadyCall {
  readonly type: 'ready';
  readonly call: ToolCallBlock;
  readonly view: CallView;
}

export interface EndedCall {
  readonly type: 'ended';
  readonly call: ToolCallBlock;
  readonly message: ToolResultMessage;
  readonly terminate: boolean;
}

const abortedOutput = errorOutput('The run was aborted before this call was started.');

function resultMessage(
  run: Run,
  call: ToolCallBlock,
  output: ToolOutput,
  isError: boolean,
): ToolResultMessage {
  return {
    role: 'toolResult',
    toolCallId: call.id,
    toolName: call.name,
    content: output.content,
    ...(output.details === undefined ? {} : { details: output.details }),
    isError,
    timestamp: run.config.clock.now(),
  };
}

function tellEnd(
  run: Run,
  call: ToolCallBlock,
  result: ToolOutput,
  { isError, durationMs }: { readonly isError: boolean; readonly durationMs?: number },
): Promise<void> | undefined {
  return run.emit({
    type: 'tool_execution_end',
    toolCallId: call.id,
    toolName: call.name,
    result,
    isError,
    ...(durationMs === undefined ? {} : { durationMs }),
  });
}

async function ended(
  run: Run,
  call: ToolCallBlock,
  output: ToolOutput,
  body: { readonly isError: boolean; readonly durationMs?: number },
): Promise<EndedCall> {
  const { isError, durationMs } = body;
  const message = resultMessage(run, call, output, isError);
  const { journal } = run.config;
  try {
    if (durationMs === undefined) journal?.messageAdded(message);
    else journal?.callEnded(call.id, message);
  } finally {
    const waiting = tellEnd(run, call, output, body);
    if (waiting) await waiting;
  }
  return { type: 'ended', call, message, terminate: output.terminate === true };
}

/** Result of a call whose body never runs. */
export const refuseCall = (run: Run, call: ToolCallBlock, output: ToolOutput): Promise<EndedCall> =>
  ended(run, call, output, { isError: true });

export const refuseAborted = (run: Run, call: ToolCallBlock): Promise<EndedCall> =>
  refuseCall(run, call, abortedOutput);

function unknownTool(name: string, tools: readonly LoopTool[]): ToolOutput {
  const names = tools.map((tool) => tool.name).join(', ');
  return errorOutput(`There is no tool named ${name}. ${names ? `There are: ${names}.` : 'There are none.'}`);
}

async function verdict(
  run: Run,
  view: CallView,
  hook: 'beforeToolCall' | 'recheckToolCall',
): Promise<ToolOutput | null> {
  try {
    const said = await run.config[hook]?.(view, run.signal);
    if (!said?.block) return null;
    const refused = errorOutput(said.reason ?? `${view.toolCall.name} was not allowed.`, said.details);
    return said.terminate ? { ...refused, terminate: true } : refused;
  } catch (error) {
    return errorOutput(errorText(error));
  }
}

export async function announce(run: Run, call: ToolCallBlock): Promise<void> {
  const { id, name } = call;
  const event = {
    type: 'tool_execution_start',
    toolCallId: id,
    toolName: name,
    args: call.arguments,
  } as const;
  const waiting = run.emit(event);
  if (waiting) await waiting;
}

/** All checks before an effect. */
export async function prepareCall(
  run: Run,
  assistantMessage: AssistantMessage,
  call: ToolCallBlock,
): Promise<ReadyCall | EndedCall> {
  await announce(run, call);
  if (run.signal.aborted) return refuseAborted(run, call);
  const { tools } = run.settings;
  const tool = tools.find((each) => each.name === call.name);
  if (!tool) return refuseCall(run, call, unknownTool(call.name, tools));
  let checked: ReturnType<typeof validateArguments>;
  try {
    checked = validateArguments(tool, call);
  } catch (error) {
    return refuseCall(run, call, errorOutput(errorText(error)));
  }
  if (!checked.ok) return refuseCall(run, call, errorOutput(checked.error));
  const { messages } = run.transcript;
  const view: CallView = { assistantMessage, toolCall: call, args: checked.value, tool, messages };
  const refused = run.config.beforeToolCall ? await verdict(run, view, 'beforeToolCall') : null;
  if (refused) return refuseCall(run, call, refused);
  if (run.signal.aborted) return refuseAborted(run, call);
  return { type: 'ready', call, view };
}

/** Checks a call again that waited for others of its batch. */
export async function recheckCall(run: Run, ready: ReadyCall): Promise<ReadyCall | EndedCall> {
  if (!run.config.recheckToolCall || run.signal.aborted) return ready;
  const refused = await verdict(run, ready.view, 'recheckToolCall');
  return refused ? refuseCall(run, ready.call, refused) : ready;
}

async function reviewed(run: Run, view: CallView, body: BodyEnd): Promise<BodyEnd> {
  const { afterToolCall } = run.config;
  if (!afterToolCall) return body;
  try {
    const changed = await afterToolCall({ ...view, result: body.output, isError: body.isError }, run.signal);
    if (!changed) return body;
    const output = { ...body.output, ...changed };
    return { ...body, output, isError: changed.isError ?? body.isError };
  } catch (error) {
    return { ...body, output: errorOutput(errorText(error)), isError: true };
  }
}

export async function executeCall(run: Run, { call, view }: ReadyCall): Promise<EndedCall> {
  if (run.signal.aborted) return refuseAborted(run, call);
  const { config } = run;
  const { tool, args } = view;
  const at = config.clock.now();
  try {
    config.journal?.callStarted({
      callId: call.id,
      tool: tool.name,
      args,
      replay: tool.replay ?? 'never',
      at,
    });
  } catch (error) {
    await tellEnd(run, call, errorOutput(errorText(error)), { isError: true });
    throw error;
  }
  const limits = {
    clock: config.clock,
    signal: run.signal,
    timeoutMs: tool.timeoutMs ?? config.toolTimeoutMs ?? null,
    abortMs: config.toolAbortMs ?? defaultAbortMs,
  };
  let told: Promise<void> | undefined;
  const body = await runBody(tool, call.id, args, limits, (partialResult) => {
    const { id, name } = call;
    const event = { toolCallId: id, toolName: name, args: call.arguments, partialResult };
    const waiting = run.emit({ type: 'tool_execution_update', ...event });
    if (waiting) told = told ? told.then(() => waiting) : waiting;
  });
  if (told) await told;
  const final = await reviewed(run, view, body);
  return ended(run, call, final.output, final);
}
