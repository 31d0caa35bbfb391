/**
 * Streams one model response to the listeners and stores it: one start and one end, over all retries.
 * Listeners learn of a failure only after retries are exhausted.
 */
import { errorText } from '../../contract/errors.ts';
import { sleep } from '../lib/sleep.ts';
import { type AssistantMessage, type ToolCallBlock, transcriptText } from '../models/messages.ts';
import type { BlockEvent, ModelEvent } from '../models/model-ports.ts';
import { isSilentOverflow } from '../models/overflow.ts';
import { abortedText, endedMessage, GuardedStream, type StreamEnd } from './guarded-stream.ts';
import { guardOf, inTextMode, prepareRequest } from './model-request.ts';
import { defaultRetry, retryDelay } from './retry.ts';
import { addMessage, type Run } from './run.ts';
import { compactForOverflow, compactIfFull } from './run-compaction.ts';
import { parseTextCalls } from './text-calls.ts';
import { textCallPrefix } from './text-mode.ts';

/** Whether `message_start` of this response was emitted. */
interface Opening {
  told: boolean;
}

function open(run: Run, opening: Opening, message: AssistantMessage): Promise<void> | undefined {
  if (opening.told) return undefined;
  opening.told = true;
  return run.emit({ type: 'message_start', message });
}

function tell(
  run: Run,
  opening: Opening,
  event: BlockEvent | Extract<ModelEvent, { type: 'start' }>,
): Promise<void> | undefined {
  const started = open(run, opening, event.partial);
  if (event.type === 'start') return started;
  const update = { type: 'message_update', message: event.partial, assistantMessageEvent: event } as const;
  return started ? started.then(() => run.emit(update)) : run.emit(update);
}

async function ask(run: Run, opening: Opening): Promise<StreamEnd> {
  const guard = guardOf(run);
  const prepared = await prepareRequest(run);
  if (run.signal.aborted) return aborted(run);
  if (!prepared.ok) {
    const { error } = prepared;
    return {
      message: endedMessage(guard, null, 'error', error.message),
      failure: { error, retryable: false },
    };
  }
  const { context, options } = prepared.value;
  const stream = new GuardedStream(guard, (event) => tell(run, opening, event));
  return stream.consume((signal) => run.config.stream(context, options, signal));
}

const aborted = (run: Run, partial: AssistantMessage | null = null): StreamEnd => ({
  message: endedMessage(guardOf(run), partial, 'aborted', abortedText),
  failure: null,
});

/** `null` if the failure is final. */
async function again(run: Run, end: StreamEnd, attempt: number): Promise<'now' | 'aborted' | null> {
  const { failure } = end;
  if (!failure || run.signal.aborted || end.message.stopReason === 'aborted') return null;
  if (failure.overflow) return (await compactForOverflow(run)) ? 'now' : null;
  const policy = run.config.retry ?? defaultRetry;
  const inMs = retryDelay(policy, attempt, failure, run.config.random.fraction());
  if (inMs === null) return null;
  run.config.onRetry?.({ attempt, tries: policy.tries, inMs, failure });
  await sleep(run.config.clock, inMs, run.signal);
  return run.signal.aborted ? 'aborted' : 'now';
}

/** The server silently dropped a part of the conversation: retries once with less. */
async function cutInSilence(run: Run, message: AssistantMessage): Promise<boolean> {
  const window = run.settings.model.contextWindow ?? null;
  return run.overflows === 0 && isSilentOverflow(message, window) && (await compactForOverflow(run));
}

async function answer(run: Run, opening: Opening): Promise<AssistantMessage> {
  for (let attempt = 1; ; attempt += 1) {
    if (run.signal.aborted) return aborted(run).message;
    await compactIfFull(run);
    const end = await ask(run, opening);
    if (!end.failure) {
      if (await cutInSilence(run, end.message)) continue;
      run.overflows = 0;
      return end.message;
    }
    const next = await again(run, end, attempt);
    if (next === null) run.config.onFailure?.(end.failure.error);
    if (next === 'aborted') return aborted(run, end.message).message;
    if (next === null) return end.message;
  }
}

/** For models that write calls as text: appends them as call blocks, so that later steps are the same. */
function withTextCalls(run: Run, message: AssistantMessage): AssistantMessage {
  if (!inTextMode(run) || message.stopReason === 'error' || message.stopReason === 'aborted') return message;
  if (message.content.some((block) => block.type === 'toolCall')) return message;
  const { tools } = run.settings;
  const parse = run.config.parseAction ?? parseTextCalls;
  const calls = parse(transcriptText(message), tools).map(
    (call): ToolCallBlock => ({
      type: 'toolCall',
      id: `${textCallPrefix}${run.config.random.uuid()}`,
      name: call.name,
      arguments: call.arguments,
    }),
  );
  return calls.length === 0 ? message : { ...message, content: [...message.content, ...calls] };
}

/** Never throws for errors of a provider or a hook: those become a message with stop reason `error`. */
export async function modelTurn(run: Run): Promise<AssistantMessage> {
  const opening: Opening = { told: false };
  let message: AssistantMessage;
  try {
    message = withTextCalls(run, await answer(run, opening));
  } catch (error) {
    const text = errorText(error);
    message = endedMessage(guardOf(run), null, 'error', text);
  }
  const waiting = open(run, opening, message);
  if (waiting) await waiting;
  await addMessage(run, message);
  return message;
}
