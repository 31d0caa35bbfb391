/**
 * Anthropic's messages API, streamed. Thinking keeps its signature, so that it can be sent back to the same
 * model; the reader ignores everything but text, thinking and calls.
 */
import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import type { ModelPort, ModelTarget } from '../../core/models/model-ports.ts';
import { anthropicBody } from './anthropic-request.ts';
import {
  type HttpModelDeps,
  type StreamVerdict,
  serverName,
  streamOverHttp,
  toldFailure,
  unreadableAnswer,
  versionedEndpoint,
  type WireReader,
} from './http-stream.ts';
import type { MessageBuilder } from './message-builder.ts';
import type { SseEvent } from './sse-parser.ts';
import type { UsageSink } from './usage-sink.ts';

export const anthropicApi = 'anthropic-messages';

const count = z.number().min(0).nullish();
const usageSchema = z.looseObject({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  output_tokens_details: z.looseObject({ thinking_tokens: count }).nullish(),
});
const index = z.number().int().min(0);

const eventSchema = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('message_start'),
    message: z.looseObject({ id: z.string().default(''), usage: usageSchema.nullish() }),
  }),
  z.looseObject({
    type: z.literal('content_block_start'),
    index,
    content_block: z.looseObject({
      type: z.string(),
      text: z.string().optional(),
      thinking: z.string().optional(),
      signature: z.string().nullish(),
      data: z.string().optional(),
      id: z.string().optional(),
      name: z.string().optional(),
      input: z.unknown().optional(),
    }),
  }),
  z.looseObject({
    type: z.literal('content_block_delta'),
    index,
    delta: z.looseObject({
      type: z.string(),
      text: z.string().optional(),
      thinking: z.string().optional(),
      signature: z.string().optional(),
      partial_json: z.string().optional(),
    }),
  }),
  z.looseObject({ type: z.literal('content_block_stop'), index }),
  z.looseObject({
    type: z.literal('message_delta'),
    delta: z.looseObject({ stop_reason: z.string().nullish() }),
    usage: usageSchema.nullish(),
  }),
  z.looseObject({ type: z.literal('message_stop') }),
  z.looseObject({
    type: z.literal('error'),
    error: z.looseObject({ type: z.string().default('api_error') }),
  }),
]);
type AnthropicEvent = z.infer<typeof eventSchema>;
type BlockStart = Extract<AnthropicEvent, { type: 'content_block_start' }>;
type BlockDelta = Extract<AnthropicEvent, { type: 'content_block_delta' }>;
const known: ReadonlySet<string> = new Set(eventSchema.options.map((option) => option.shape.type.value));

/** Maps each error type to the HTTP status that the API uses for it. */
const statusOf: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  timeout_error: 504,
  overloaded_error: 529,
};

export function createAnthropicModel(deps: HttpModelDeps): ModelPort {
  return {
    api: anthropicApi,
    stream(target, context, options, signal) {
      const url = versionedEndpoint(target.baseUrl, '/v1', '/messages');
      const body = anthropicBody(target.model, context, options);
      return streamOverHttp(deps, {
        api: anthropicApi,
        target,
        options,
        signal,
        request: url === null ? null : { url, headers: headersFor(target), body },
        reader: (builder) => createReader(target, builder),
      });
    },
  };
}

function headersFor({ apiKey, auth }: ModelTarget): Record<string, string> {
  const version = { 'anthropic-version': '2023-06-01' };
  if (apiKey === null) return version;
  return auth === 'oauth'
    ? { ...version, authorization: `Bearer ${apiKey}` }
    : { ...version, 'x-api-key': apiKey };
}

function createReader(target: ModelTarget, builder: MessageBuilder): WireReader {
  const state: ReadState = { target, builder, passedOver: new Set(), stopReason: null };
  return {
    read(event) {
      const parsed = parseEvent(event);
      if (parsed === 'unknown') return null;
      return parsed ? readEvent(state, parsed, event.data) : unreadableAnswer(target);
    },
  };
}

interface ReadState {
  readonly target: ModelTarget;
  readonly builder: MessageBuilder;
  /** Indexes of blocks of other kinds. */
  readonly passedOver: Set<number>;
  stopReason: string | null;
}

/** `null` if the event breaks the API's format; `unknown` for new event types, which are ignored. */
function parseEvent({ data }: SseEvent): AnthropicEvent | 'unknown' | null {
  const kind = z.looseObject({ type: z.string() });
  try {
    const json: unknown = JSON.parse(data);
    const named = kind.safeParse(json);
    if (!named.success) return null;
    if (!known.has(named.data.type)) return 'unknown';
    const parsed = eventSchema.safeParse(json);
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

function readEvent(state: ReadState, event: AnthropicEvent, data: string): StreamVerdict | null {
  const { builder, target } = state;
  switch (event.type) {
    case 'message_start':
      builder.responseId(event.message.id);
      takeAnthropicUsage(builder, event.message.usage);
      builder.start();
      return null;
    case 'content_block_start':
      beginBlock(state, event);
      return null;
    case 'content_block_delta':
      growBlock(state, event);
      return null;
    case 'content_block_stop':
      if (!state.passedOver.has(event.index)) builder.end(event.index);
      return null;
    case 'message_delta':
      state.stopReason = event.delta.stop_reason ?? state.stopReason;
      takeAnthropicUsage(builder, event.usage);
      return null;
    case 'message_stop':
      return verdictOf(state);
    case 'error':
      return toldFailure(target, statusOf[event.error.type] ?? 500, data);
  }
}

function beginBlock(
  { builder, passedOver }: ReadState,
  { index: key, content_block: block }: BlockStart,
): void {
  switch (block.type) {
    case 'text':
      builder.text(key, block.text ?? '');
      return;
    case 'thinking':
      builder.thinking(key, block.thinking ?? '');
      if (block.signature) builder.signature(key, block.signature);
      return;
    case 'redacted_thinking':
      builder.redacted(key, block.data ?? '');
      return;
    case 'tool_use': {
      builder.call(key, { id: block.id ?? '', name: block.name ?? '' });
      const whole =
        typeof block.input === 'object' && block.input !== null && Object.keys(block.input).length > 0;
      if (whole) builder.argumentsPiece(key, JSON.stringify(block.input));
      return;
    }
    default:
      passedOver.add(key);
  }
}

function growBlock({ builder, passedOver }: ReadState, { index: key, delta }: BlockDelta): void {
  if (passedOver.has(key)) return;
  if (delta.type === 'text_delta') builder.text(key, delta.text ?? '');
  else if (delta.type === 'thinking_delta') builder.thinking(key, delta.thinking ?? '');
  else if (delta.type === 'signature_delta') builder.signature(key, delta.signature ?? '');
  else if (delta.type === 'input_json_delta') builder.argumentsPiece(key, delta.partial_json ?? '');
}

export function takeAnthropicUsage(builder: UsageSink, told: unknown): void {
  const usage = usageSchema.safeParse(told).data;
  if (!usage) return;
  const part = {
    input: usage.input_tokens,
    output: usage.output_tokens,
    cacheRead: usage.cache_read_input_tokens,
    cacheWrite: usage.cache_creation_input_tokens,
    reasoning: usage.output_tokens_details?.thinking_tokens,
  };
  builder.usage(Object.fromEntries(Object.entries(part).filter(([, value]) => typeof value === 'number')));
}

function verdictOf({ target, stopReason }: ReadState): StreamVerdict {
  switch (stopReason) {
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return { type: 'done', reason: 'length' };
    case 'tool_use':
      return { type: 'done', reason: 'toolUse' };
    case 'refusal': {
      const error = fail(
        'model_error',
        'models.answerDeclined',
        { server: serverName(target) },
        { help: 'models.rephraseOrSwitchModel' },
      );
      return { type: 'failed', failure: { error, retryable: false } };
    }
    case null:
      return unreadableAnswer(target);
    default:
      return { type: 'done', reason: 'stop' };
  }
}
