/**
 * Runs the calls of one response: prepared in order, executed in parallel unless sequence is required,
 * results in call order. Every call of an aborted batch gets a result, too.
 */
import type { AssistantMessage, ToolCallBlock, ToolResultMessage } from '../models/messages.ts';
import { addWhole, type Run } from './run.ts';
import { errorOutput } from './tool-body.ts';
import { announce, type EndedCall, executeCall, prepareCall, recheckCall, refuseCall } from './tool-call.ts';

export interface BatchEnd {
  readonly results: readonly ToolResultMessage[];
  /** Every result requests the end of the run. */
  readonly terminate: boolean;
}

const cutOffOutput = errorOutput(
  'The answer reached its length limit, so this call may be incomplete and was not run. Send it again, shorter.',
);

function isSequential(run: Run, calls: readonly ToolCallBlock[]): boolean {
  if (run.config.toolExecution === 'sequential') return true;
  const { tools } = run.settings;
  return calls.some((call) => {
    const tool = tools.find((each) => each.name === call.name);
    return tool?.executionMode === 'sequential';
  });
}

const keep = (run: Run, ended: EndedCall): Promise<void> => addWhole(run, ended.message, true);

async function oneByOne(
  run: Run,
  message: AssistantMessage,
  calls: readonly ToolCallBlock[],
): Promise<EndedCall[]> {
  const all: EndedCall[] = [];
  for (const call of calls) {
    const prepared = await prepareCall(run, message, call);
    const ended = prepared.type === 'ended' ? prepared : await executeCall(run, prepared);
    await keep(run, ended);
    all.push(ended);
  }
  return all;
}

async function sideBySide(
  run: Run,
  message: AssistantMessage,
  calls: readonly ToolCallBlock[],
): Promise<EndedCall[]> {
  const first: Awaited<ReturnType<typeof prepareCall>>[] = [];
  for (const call of calls) first.push(await prepareCall(run, message, call));
  const prepared: typeof first = [];
  for (const each of first) prepared.push(each.type === 'ended' ? each : await recheckCall(run, each));
  const settled = await Promise.allSettled(
    prepared.map((each) => (each.type === 'ended' ? each : executeCall(run, each))),
  );
  const all: EndedCall[] = [];
  let broken: PromiseRejectedResult | null = null;
  for (const each of settled) {
    if (each.status === 'rejected') broken ??= each;
    else {
      await keep(run, each.value);
      all.push(each.value);
    }
  }
  // The journal failed: the other calls have ended, and no further one starts.
  if (broken) throw broken.reason;
  return all;
}

async function cutOff(run: Run, calls: readonly ToolCallBlock[]): Promise<EndedCall[]> {
  const all: EndedCall[] = [];
  for (const call of calls) {
    await announce(run, call);
    const ended = await refuseCall(run, call, cutOffOutput);
    await keep(run, ended);
    all.push(ended);
  }
  return all;
}

export async function runBatch(
  run: Run,
  message: AssistantMessage,
  calls: readonly ToolCallBlock[],
): Promise<BatchEnd> {
  if (calls.length === 0) return { results: [], terminate: false };
  let all: EndedCall[];
  if (message.stopReason === 'length') all = await cutOff(run, calls);
  else if (calls.length === 1 || isSequential(run, calls)) all = await oneByOne(run, message, calls);
  else all = await sideBySide(run, message, calls);
  return { results: all.map((each) => each.message), terminate: all.every((each) => each.terminate) };
}
