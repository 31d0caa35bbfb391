/** Reads the events of one streamed response of the Responses API into blocks. */

import { z } from 'zod';
import { jsonAs } from '../../core/lib/json-as.ts';
import type { ModelTarget } from '../../core/models/model-ports.ts';
import { type StreamVerdict, streamError, unreadableAnswer, type WireReader } from './http-stream.ts';
import type { MessageBuilder } from './message-builder.ts';
import { reasoningItemSchema } from './responses-request.ts';
import type { SseEvent } from './sse-parser.ts';
import type { UsageSink } from './usage-sink.ts';

const partSchema = z.looseObject({
  type: z.string(),
  text: z.string().nullish(),
  refusal: z.string().nullish(),
});
const itemSchema = z.looseObject({
  type: z.string(),
  call_id: z.string().nullish(),
  name: z.string().nullish(),
  arguments: z.string().nullish(),
  content: z.array(partSchema).nullish(),
  summary: z.array(partSchema).nullish(),
});
type Item = z.infer<typeof itemSchema>;

const count = z.number().min(0).nullish();
const usageSchema = z.looseObject({
  input_tokens: count,
  output_tokens: count,
  input_tokens_details: z.looseObject({ cached_tokens: count, cache_write_tokens: count }).nullish(),
  output_tokens_details: z.looseObject({ reasoning_tokens: count }).nullish(),
});
const responseSchema = z.looseObject({
  id: z.string().nullish(),
  status: z.string().nullish(),
  output: z.array(itemSchema).nullish(),
  error: z.looseObject({ code: z.string().nullish() }).nullish(),
  incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish(),
  usage: usageSchema.nullish(),
});
type ResponseHead = z.infer<typeof responseSchema>;

const eventSchema = z.looseObject({
  type: z.string(),
  output_index: z.number().int().min(0).nullish(),
  content_index: z.number().int().min(0).nullish(),
  summary_index: z.number().int().min(0).nullish(),
  delta: z.string().nullish(),
  code: z.string().nullish(),
  arguments: z.string().nullish(),
  item: itemSchema.nullish(),
  response: responseSchema.nullish(),
});
type WireEvent = z.infer<typeof eventSchema>;

/** Transient errors, which a retry may avoid. */
const passing = /rate_limit|server_error|overloaded|timeout|slow_down|unavailable/i;

interface Reading {
  readonly target: ModelTarget;
  readonly builder: MessageBuilder;
  /** Items that were streamed in pieces. */
  readonly streamed: Set<string>;
  readonly completed: Set<number>;
}

export function createResponsesReader(target: ModelTarget, builder: MessageBuilder): WireReader {
  const reading: Reading = { target, builder, streamed: new Set(), completed: new Set() };
  return {
    read: (event) => readEvent(reading, event),
    readWhole: (text) => readWhole(reading, text),
  };
}

function readEvent(reading: Reading, { data }: SseEvent): StreamVerdict | null {
  // Imitating servers end with the marker of the older API; the verdict was given before.
  if (data.trim() === '[DONE]') return null;
  const event = jsonAs(eventSchema, data);
  if (!event) return unreadableAnswer(reading.target);
  const index = event.output_index ?? 0;
  switch (event.type) {
    case 'response.created':
      reading.builder.responseId(event.response?.id ?? '');
      return null;
    case 'response.output_item.added':
      if (event.item) begin(reading, index, event.item);
      return null;
    case 'response.output_item.done':
      if (event.item) complete(reading, index, event.item);
      return null;
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
      return event.response ? finish(reading, event.response, data) : unreadableAnswer(reading.target);
    case 'error':
      return streamError(reading.target, data, null, passing.test(event.code ?? data));
    default:
      readDelta(reading, event, index);
      return null;
  }
}

function readDelta({ builder, streamed }: Reading, event: WireEvent, index: number): void {
  const delta = event.delta ?? '';
  switch (event.type) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      builder.text(textKey(index, event.content_index ?? 0), delta);
      return;
    case 'response.reasoning_summary_part.added':
      if ((event.summary_index ?? 0) > 0) builder.thinking(itemKey(index), '\n\n');
      return;
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      streamed.add(itemKey(index));
      builder.thinking(itemKey(index), delta);
      return;
    case 'response.function_call_arguments.delta':
      streamed.add(itemKey(index));
      builder.argumentsPiece(itemKey(index), delta);
      return;
    default: // Progress of the server's own tools, and later additions to the API.
  }
}

const itemKey = (index: number): string => `item ${index}`;
const textKey = (index: number, part: number): string => `text ${index} ${part}`;

function begin({ builder }: Reading, index: number, item: Item): void {
  const key = itemKey(index);
  if (item.type === 'function_call' && !builder.has(key)) {
    builder.call(key, { id: item.call_id ?? '', name: item.name ?? '' });
  } else if (item.type === 'reasoning') builder.thinking(key, '');
}

/** Completes an item with the parts that were not streamed, and ends its blocks. */
function complete(reading: Reading, index: number, item: Item): void {
  const { builder, streamed, completed } = reading;
  if (completed.has(index)) return;
  completed.add(index);
  const key = itemKey(index);
  begin(reading, index, item);
  if (item.type === 'function_call') {
    if (!streamed.has(key)) builder.argumentsPiece(key, item.arguments ?? '');
    builder.end(key);
  } else if (item.type === 'reasoning') {
    completeReasoning(reading, key, item);
  } else if (item.type === 'message') {
    for (const [part, content] of (item.content ?? []).entries()) {
      const text = textKey(index, part);
      if (!builder.has(text)) builder.text(text, content.text ?? content.refusal ?? '');
      builder.end(text);
    }
  }
}

function completeReasoning({ builder, streamed }: Reading, key: string, item: Item): void {
  const words = [...(item.summary ?? []), ...(item.content ?? [])].map((part) => part.text ?? '');
  if (!streamed.has(key)) builder.thinking(key, words.join('\n\n'));
  const sealed = reasoningItemSchema.safeParse(item);
  if (sealed.success) {
    const { type, id, encrypted_content, summary } = sealed.data;
    builder.signature(key, JSON.stringify({ type, id, encrypted_content, summary }));
  }
  builder.end(key);
}

function finish(reading: Reading, response: ResponseHead, text: string): StreamVerdict {
  const { builder, target } = reading;
  builder.responseId(response.id ?? '');
  takeResponsesUsage(builder, response.usage);
  if (response.status === 'failed' || response.error) {
    return streamError(target, text, null, passing.test(response.error?.code ?? ''));
  }
  // A server that sends only the last event puts the whole response in it.
  for (const [index, item] of (response.output ?? []).entries()) complete(reading, index, item);
  const reason = response.incomplete_details?.reason;
  if (reason === 'content_filter') return streamError(target, filtered, null, false);
  return { type: 'done', reason: response.status === 'incomplete' ? 'length' : 'stop' };
}

const filtered = JSON.stringify({ message: 'the reply was stopped by the content filter' });

export function takeResponsesUsage(builder: UsageSink, told: unknown): void {
  const usage = usageSchema.safeParse(told).data;
  if (!usage) return;
  const cacheRead = usage.input_tokens_details?.cached_tokens ?? 0;
  const cacheWrite = usage.input_tokens_details?.cache_write_tokens ?? 0;
  builder.usage({
    input: Math.max(0, (usage.input_tokens ?? 0) - cacheRead - cacheWrite),
    output: usage.output_tokens ?? 0,
    cacheRead,
    cacheWrite,
    reasoning: usage.output_tokens_details?.reasoning_tokens ?? 0,
  });
}

function readWhole(reading: Reading, text: string): StreamVerdict {
  const response = jsonAs(responseSchema, text);
  return response ? finish(reading, response, text) : unreadableAnswer(reading.target);
}
