/**
 * Reads the chunks of one streamed chat completion into blocks, from OpenAI and from the many servers that
 * imitate it: calls in pieces or whole, with or without an index, thinking under either field name, usage in
 * a last chunk or none.
 */

import { z } from 'zod';
import { jsonAs } from '../../core/lib/json-as.ts';
import type { ModelTarget } from '../../core/models/model-ports.ts';
import { providerInfo } from '../../core/models/providers.ts';
import { replayedThinking } from './completions-request.ts';
import { type StreamVerdict, streamError, unreadableAnswer, type WireReader } from './http-stream.ts';
import type { MessageBuilder } from './message-builder.ts';
import type { UsageSink } from './usage-sink.ts';

const words = z.string().nullish();
const callSchema = z.looseObject({
  index: z.number().int().min(0).nullish(),
  id: words,
  function: z
    .looseObject({
      name: words,
      arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    })
    .nullish(),
});
type WireCall = z.infer<typeof callSchema>;

const deltaSchema = z.looseObject({
  content: z.union([z.string(), z.array(z.looseObject({ text: words }))]).nullish(),
  refusal: words,
  reasoning_content: words,
  reasoning: words,
  tool_calls: z.array(callSchema).nullish(),
});
type Delta = z.infer<typeof deltaSchema>;

const count = z.number().min(0).nullish();
const usageSchema = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: z.looseObject({ cached_tokens: count, cache_write_tokens: count }).nullish(),
  completion_tokens_details: z.looseObject({ reasoning_tokens: count }).nullish(),
  prompt_cache_hit_tokens: count,
  cost: count,
  cost_details: z.looseObject({ upstream_inference_cost: count }).nullish(),
  is_byok: z.boolean().nullish(),
});

const chunkSchema = z.looseObject({
  id: words,
  choices: z
    .array(
      z.looseObject({
        delta: deltaSchema.nullish(),
        message: deltaSchema.nullish(),
        finish_reason: words,
        usage: usageSchema.nullish(),
      }),
    )
    .nullish(),
  usage: usageSchema.nullish(),
  error: z.unknown().optional(),
});

interface OpenCall {
  readonly key: string;
  readonly index: number | null;
  id: string;
  name: string;
  /** Arguments that arrived before the name. */
  early: string;
  begun: boolean;
}

export function createCompletionsReader(target: ModelTarget, builder: MessageBuilder): WireReader {
  const reader = new CompletionsReader(target, builder);
  return {
    read: (event) => reader.read(event),
    readWhole: (text) => reader.readWhole(text),
    atEnd: () => reader.atEnd(),
  };
}

class CompletionsReader {
  readonly #target: ModelTarget;
  readonly #builder: MessageBuilder;
  readonly #calls: OpenCall[] = [];
  /** The text or thinking block that is being written; calls may interleave, text may not. */
  #spoken: { readonly kind: 'text' | 'thinking'; readonly key: string } | null = null;
  #blocks = 0;
  #finish: string | null = null;

  constructor(target: ModelTarget, builder: MessageBuilder) {
    this.#target = target;
    this.#builder = builder;
  }

  read({ data }: { readonly data: string }): StreamVerdict | null {
    return data.trim() === '[DONE]' ? this.#finished() : this.#chunk(data);
  }

  readWhole(text: string): StreamVerdict {
    return this.#chunk(text) ?? this.#finished();
  }

  /** Some servers close the stream after the finish reason, without `[DONE]`. */
  atEnd(): StreamVerdict | null {
    return this.#finish === null ? null : this.#finished();
  }

  #chunk(data: string): StreamVerdict | null {
    const chunk = jsonAs(chunkSchema, data);
    if (!chunk) return unreadableAnswer(this.#target);
    const builder = this.#builder;
    builder.responseId(chunk.id ?? '');
    const choice = chunk.choices?.[0];
    const usage = chunk.usage ?? choice?.usage;
    // Also read for a failed response, because it is billed.
    takeCompletionsUsage(builder, usage, providerInfo(this.#target.provider)?.reportsCost === true);
    if (chunk.error !== undefined && chunk.error !== null) return streamError(this.#target, data);
    const delta = choice?.delta ?? choice?.message;
    if (delta) this.#delta(delta);
    this.#finish = choice?.finish_reason || this.#finish;
    return null;
  }

  #delta(delta: Delta): void {
    if (delta.reasoning_content) {
      this.#say('thinking', delta.reasoning_content, replayedThinking);
    } else if (delta.reasoning) this.#say('thinking', delta.reasoning, '');
    const { content } = delta;
    const text = Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : content;
    if (text) this.#say('text', text, '');
    if (delta.refusal) this.#say('text', delta.refusal, '');
    for (const call of delta.tool_calls ?? []) this.#call(call);
  }

  #say(kind: 'text' | 'thinking', piece: string, signature: string): void {
    if (this.#spoken?.kind !== kind) {
      this.#endSpoken();
      this.#spoken = { kind, key: this.#newKey() };
      this.#builder[kind](this.#spoken.key, piece);
      if (signature !== '') this.#builder.signature(this.#spoken.key, signature);
    } else this.#builder[kind](this.#spoken.key, piece);
  }

  #endSpoken(): void {
    if (this.#spoken) this.#builder.end(this.#spoken.key);
    this.#spoken = null;
  }

  #newKey(): string {
    this.#blocks += 1;
    return `block ${this.#blocks}`;
  }

  #call(wire: WireCall): void {
    this.#endSpoken();
    const name = wire.function?.name ?? '';
    const given = wire.function?.arguments ?? '';
    const piece = typeof given === 'string' ? given : JSON.stringify(given);
    const call = this.#callOf(wire, name);
    if (!call.begun) {
      call.id ||= wire.id ?? '';
      call.name ||= name;
      call.early += piece;
      if (call.name !== '') this.#begin(call);
    } else this.#builder.argumentsPiece(call.key, piece);
  }

  /**
   * Finds the call that a piece belongs to. Some servers give every call index 0 and distinguish them by id;
   * some send no index.
   */
  #callOf(wire: WireCall, name: string): OpenCall {
    const index = wire.index ?? null;
    const id = wire.id ?? '';
    const known =
      index === null
        ? this.#calls.findLast((call) => (id === '' ? name === '' || !call.begun : call.id === id))
        : this.#calls.findLast((call) => call.index === index);
    const another = known && id !== '' && known.id !== '' && known.id !== id && name !== '';
    if (known && !another) return known;
    const call: OpenCall = { key: this.#newKey(), index, id, name: '', early: '', begun: false };
    this.#calls.push(call);
    return call;
  }

  #begin(call: OpenCall): void {
    call.begun = true;
    this.#builder.call(call.key, { id: call.id, name: call.name });
    this.#builder.argumentsPiece(call.key, call.early);
  }

  #finished(): StreamVerdict {
    if (this.#finish === 'content_filter') {
      const text = JSON.stringify({ message: 'the reply was stopped by the content filter' });
      return streamError(this.#target, text, null, false);
    }
    // A call that never got a name is shown as it is; it names no tool, so it cannot run.
    for (const call of this.#calls) if (!call.begun) this.#begin(call);
    return { type: 'done', reason: this.#finish === 'length' ? 'length' : 'stop' };
  }
}

/** `reportsCost` is true if the provider's costs are US dollars; other servers use units of their own. */
export function takeCompletionsUsage(builder: UsageSink, told: unknown, reportsCost: boolean): void {
  const usage = usageSchema.safeParse(told).data;
  if (!usage) return;
  const details = usage.prompt_tokens_details;
  const cacheRead = details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0;
  const cacheWrite = details?.cache_write_tokens ?? 0;
  builder.usage({
    input: Math.max(0, (usage.prompt_tokens ?? 0) - cacheRead - cacheWrite),
    output: usage.completion_tokens ?? 0,
    cacheRead,
    cacheWrite,
    reasoning: usage.completion_tokens_details?.reasoning_tokens ?? 0,
  });
  if (!reportsCost || typeof usage.cost !== 'number') return;
  // With the operator's own key at the upstream provider, `cost` is only the fee; the upstream provider bills
  // the rest.
  const upstream = usage.is_byok === true ? (usage.cost_details?.upstream_inference_cost ?? 0) : 0;
  builder.cost(usage.cost + upstream);
}
