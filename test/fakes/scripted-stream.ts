/** A scripted model that streams block by block, for tests of the loop. */
import { setImmediate as nextTask } from 'node:timers/promises';
import { textError } from '../../src/contract/errors.ts';
import type { StreamFunction, StreamOptions } from '../../src/core/loop/stream-function.ts';
import type { AssistantContent, AssistantMessage, StopReason } from '../../src/core/models/messages.ts';
import { noUsage } from '../../src/core/models/messages.ts';
import type { ModelContext, ModelEvent, ModelFailure } from '../../src/core/models/model-ports.ts';

export interface ScriptedBlock {
  readonly type: 'text' | 'thinking' | 'toolCall';
  readonly chunks: readonly string[];
  readonly id?: string;
  readonly name?: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

export interface ScriptedReply {
  readonly blocks: readonly ScriptedBlock[];
  readonly stopReason?: StopReason;
  readonly errorMessage?: string;
  /** Overrides fields of the reported error. */
  readonly failure?: Partial<ModelFailure>;
  readonly emit?: 'doneOnly' | 'throw' | 'noEnd';
  /** Stalls after this many deltas, until the signal fires. */
  readonly hangAfter?: number;
  readonly totalTokens?: number;
  /** Input tokens that the provider reports. */
  readonly input?: number;
}

export interface ScriptedRequest {
  readonly context: ModelContext;
  readonly options: StreamOptions;
}

export interface ScriptedModel {
  readonly stream: StreamFunction;
  /** Copies made at request time. */
  readonly requests: ScriptedRequest[];
}

export const scriptedModel = { api: 'scripted', provider: 'script', id: 'script-1' } as const;

export const says = (text: string): ScriptedReply => ({
  blocks: [{ type: 'text', chunks: [text] }],
  stopReason: 'stop',
});

export const calls = (
  ...all: readonly (readonly [id: string, name: string, args: object])[]
): ScriptedReply => ({
  blocks: all.map(([id, name, args]) => ({
    type: 'toolCall',
    id,
    name,
    args: args as Record<string, unknown>,
    chunks: [JSON.stringify(args)],
  })),
  stopReason: 'toolUse',
});

export const fails = (errorMessage: string, failure: Partial<ModelFailure> = {}): ScriptedReply => ({
  blocks: [],
  stopReason: 'error',
  errorMessage,
  failure,
});

type Growing = { -readonly [K in keyof AssistantMessage]: AssistantMessage[K] } & {
  content: AssistantContent[];
};

const blank = ({ totalTokens = 0, input = 0 }: Partial<ScriptedReply> = {}): Growing => ({
  role: 'assistant',
  content: [],
  api: scriptedModel.api,
  provider: scriptedModel.provider,
  model: scriptedModel.id,
  usage: totalTokens + input === 0 ? noUsage : { ...noUsage, input, totalTokens: totalTokens || input },
  stopReason: 'stop',
  timestamp: 1_778_790_000_000,
});

function opened(block: ScriptedBlock): AssistantContent {
  if (block.type === 'text') return { type: 'text', text: '' };
  if (block.type === 'thinking') return { type: 'thinking', thinking: '' };
  return { type: 'toolCall', id: block.id ?? 'c', name: block.name ?? '', arguments: {} };
}

function grown(content: AssistantContent, chunk: string): AssistantContent {
  if (content.type === 'text') return { ...content, text: content.text + chunk };
  return content.type === 'thinking' ? { ...content, thinking: content.thinking + chunk } : content;
}

const complete = (block: ScriptedBlock, content: AssistantContent): AssistantContent =>
  content.type === 'toolCall' ? { ...content, arguments: block.args ?? {} } : content;

function ending(message: Growing, reply: ScriptedReply): ModelEvent {
  const stopReason = reply.stopReason ?? 'stop';
  const done = { ...message, stopReason };
  if (stopReason !== 'error' && stopReason !== 'aborted')
    return { type: 'done', reason: stopReason, message: done };
  const text = reply.errorMessage ?? 'failed';
  const failure = { error: textError('model_error', text), retryable: false, ...reply.failure };
  return { type: 'error', reason: stopReason, message: { ...done, errorMessage: text }, failure };
}

const aborted = (message: Growing): ModelEvent =>
  ending(message, { blocks: [], stopReason: 'aborted', errorMessage: 'Request was aborted' });

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

async function* play(reply: ScriptedReply, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const partial = blank(reply);
  await nextTask();
  if (reply.emit === 'doneOnly') {
    for (const block of reply.blocks) {
      partial.content.push(complete(block, block.chunks.reduce(grown, opened(block))));
    }
    yield ending(partial, reply);
    return;
  }
  yield { type: 'start', partial };
  let deltas = 0;
  for (const [contentIndex, block] of reply.blocks.entries()) {
    const kind = block.type === 'toolCall' ? 'toolcall' : block.type;
    partial.content.push(opened(block));
    await nextTask();
    yield { type: `${kind}_start`, contentIndex, partial };
    for (const delta of block.chunks) {
      await nextTask();
      if (reply.hangAfter === deltas) await untilAborted(signal);
      if (signal.aborted) {
        yield aborted(partial);
        return;
      }
      partial.content[contentIndex] = grown(partial.content[contentIndex] ?? opened(block), delta);
      deltas += 1;
      yield { type: `${kind}_delta`, contentIndex, delta, partial };
    }
    await nextTask();
    if (reply.hangAfter === deltas) await untilAborted(signal);
    if (signal.aborted) {
      yield aborted(partial);
      return;
    }
    partial.content[contentIndex] = complete(block, partial.content[contentIndex] ?? opened(block));
    yield { type: `${kind}_end`, contentIndex, partial };
  }
  await nextTask();
  if (reply.emit !== 'noEnd') yield ending(partial, reply);
}

async function* single(event: ModelEvent): AsyncGenerator<ModelEvent> {
  yield event;
}

/** An empty script answers with an error, so that a superfluous request is noticed. */
export function createScriptedModel(replies: readonly ScriptedReply[]): ScriptedModel {
  const left = [...replies];
  const requests: ScriptedRequest[] = [];
  return {
    requests,
    stream: (context, options, signal) => {
      requests.push({ context: { ...context, messages: [...context.messages] }, options });
      if (signal.aborted) return single(aborted(blank()));
      const reply = left.shift() ?? fails('the script is at its end');
      if (reply.emit === 'throw') throw new Error(reply.errorMessage ?? 'thrown');
      return play(reply, signal);
    },
  };
}
