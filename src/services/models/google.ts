/**
 * Google's generateContent, streamed. Calls arrive whole; consecutive pieces of text or of thinking form one
 * block, unless a signature separates them.
 */

import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import { jsonAs } from '../../core/lib/json-as.ts';
import type { ModelPort, ModelTarget } from '../../core/models/model-ports.ts';
import { googleBody } from './google-request.ts';
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
import type { UsageSink } from './usage-sink.ts';

export const googleApi = 'google-generative';

const count = z.number().min(0).nullish();
const partSchema = z.looseObject({
  text: z.string().nullish(),
  thought: z.boolean().nullish(),
  thoughtSignature: z.string().nullish(),
  functionCall: z
    .looseObject({
      id: z.string().nullish(),
      name: z.string(),
      args: z.record(z.string(), z.unknown()).nullish(),
    })
    .nullish(),
});
type Part = z.infer<typeof partSchema>;

const usageSchema = z.looseObject({
  promptTokenCount: count,
  cachedContentTokenCount: count,
  candidatesTokenCount: count,
  thoughtsTokenCount: count,
  toolUsePromptTokenCount: count,
});

const chunkSchema = z.looseObject({
  candidates: z
    .array(
      z.looseObject({
        content: z.looseObject({ parts: z.array(partSchema).nullish() }).nullish(),
        finishReason: z.string().nullish(),
      }),
    )
    .nullish(),
  usageMetadata: usageSchema.nullish(),
  responseId: z.string().nullish(),
  promptFeedback: z.looseObject({ blockReason: z.string().nullish() }).nullish(),
  error: z.looseObject({ code: z.number().nullish() }).nullish(),
});
type Chunk = z.infer<typeof chunkSchema>;

export function createGoogleModel(deps: HttpModelDeps): ModelPort {
  return {
    api: googleApi,
    stream(target, context, options, signal) {
      const name = encodeURIComponent(target.model.replace(/^models\//, ''));
      const url = versionedEndpoint(target.baseUrl, '/v1beta', `/models/${name}:streamGenerateContent`);
      const body = googleBody(target.model, context, options);
      return streamOverHttp(deps, {
        api: googleApi,
        target,
        options,
        signal,
        request: url === null ? null : { url: `${url}?alt=sse`, headers: headersFor(target), body },
        reader: (builder) => createReader(target, builder),
      });
    },
  };
}

function headersFor({ apiKey, auth }: ModelTarget): Record<string, string> {
  if (apiKey === null) return {};
  return auth === 'oauth' ? { authorization: `Bearer ${apiKey}` } : { 'x-goog-api-key': apiKey };
}

interface ReadState {
  readonly target: ModelTarget;
  readonly builder: MessageBuilder;
  /** The block that the next piece may continue; numbered here, because the API gives no ids. */
  block: { readonly kind: 'text' | 'thinking'; readonly key: string } | null;
  made: number;
  finish: string | null;
}

function createReader(target: ModelTarget, builder: MessageBuilder): WireReader {
  const state: ReadState = { target, builder, block: null, made: 0, finish: null };
  return {
    read({ data }) {
      const chunk = jsonAs(chunkSchema, data);
      return chunk ? readChunk(state, chunk, data) : unreadableAnswer(target);
    },
    // Usage may follow the finish reason, so the reply ends with the body.
    atEnd: () => (state.finish === null ? null : verdictOf(state, state.finish)),
  };
}

function readChunk(state: ReadState, chunk: Chunk, data: string): StreamVerdict | null {
  const { builder, target } = state;
  if (chunk.error) return toldFailure(target, chunk.error.code ?? 500, data);
  const blocked = chunk.promptFeedback?.blockReason;
  if (blocked) return declined(target, blocked);
  if (chunk.responseId) builder.responseId(chunk.responseId);
  takeGoogleUsage(builder, chunk.usageMetadata);
  builder.start();
  const candidate = chunk.candidates?.[0];
  for (const part of candidate?.content?.parts ?? []) readPart(state, part);
  state.finish = candidate?.finishReason ?? state.finish;
  return state.finish !== null && chunk.usageMetadata ? verdictOf(state, state.finish) : null;
}

function readPart(state: ReadState, part: Part): void {
  const { builder } = state;
  const signature = part.thoughtSignature ?? '';
  if (part.functionCall) {
    endBlock(state);
    const { id, name, args } = part.functionCall;
    const key = nextKey(state);
    builder.call(key, { id: id ?? '', name });
    builder.argumentsPiece(key, JSON.stringify(args ?? {}));
    builder.signature(key, signature);
    builder.end(key);
    return;
  }
  const kind = part.thought ? 'thinking' : 'text';
  const text = part.text ?? '';
  // A signature may arrive alone, after the part it belongs to.
  if (text !== '') {
    if (state.block?.kind !== kind) {
      endBlock(state);
      state.block = { kind, key: nextKey(state) };
    }
    builder[kind](state.block.key, text);
  }
  if (signature === '' || !state.block) return;
  builder.signature(state.block.key, signature);
  endBlock(state);
}

function nextKey(state: ReadState): string {
  state.made += 1;
  return `part-${state.made}`;
}

function endBlock(state: ReadState): void {
  if (state.block) state.builder.end(state.block.key);
  state.block = null;
}

/** `promptTokenCount` includes cached tokens; thinking is billed as output and counted separately. */
export function takeGoogleUsage(builder: UsageSink, told: unknown): void {
  const usage = usageSchema.safeParse(told).data;
  if (!usage) return;
  const cacheRead = usage.cachedContentTokenCount ?? 0;
  const reasoning = usage.thoughtsTokenCount ?? 0;
  const read = (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0);
  builder.usage({
    input: Math.max(0, read - cacheRead),
    cacheRead,
    output: (usage.candidatesTokenCount ?? 0) + reasoning,
    ...(reasoning > 0 ? { reasoning } : {}),
  });
}

function verdictOf({ target }: ReadState, finish: string): StreamVerdict {
  switch (finish) {
    case 'STOP':
    case 'FINISH_REASON_UNSPECIFIED':
      return { type: 'done', reason: 'stop' };
    case 'MAX_TOKENS':
      return { type: 'done', reason: 'length' };
    case 'SAFETY':
    case 'RECITATION':
    case 'LANGUAGE':
    case 'BLOCKLIST':
    case 'PROHIBITED_CONTENT':
    case 'SPII':
      return declined(target, finish);
    default: {
      const values = {
        serverName: serverName(target),
        finish: finish.slice(0, 60),
      };
      return {
        type: 'failed',
        failure: { error: fail('model_error', 'models.replyIncomplete', values), retryable: true },
      };
    }
  }
}

function declined(target: ModelTarget, reason: string): StreamVerdict {
  const error = fail(
    'model_error',
    'models.declinedWithReason',
    { server: serverName(target), reason: reason.slice(0, 60) },
    { help: 'models.rephraseOrSwitchModel' },
  );
  return { type: 'failed', failure: { error, retryable: false } };
}
