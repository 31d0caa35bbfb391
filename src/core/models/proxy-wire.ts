/**
 * Wire format of the stream proxy (spec §3), through which one host uses the models of another. A request
 * never carries a key, and an answer carries events without the growing message, which the client rebuilds.
 */
import { z } from 'zod';
import { errorCodeSchema } from '../../contract/error-schema.ts';
import type { AppError } from '../../contract/errors.ts';
import type { AssistantMessage, Usage } from './messages.ts';
import { type ModelContext, type ModelEvent, type ModelOptions, thinkingLevels } from './model-ports.ts';

export const proxyPath = '/api/stream';

const text = z.object({ type: z.literal('text'), text: z.string(), textSignature: z.string().optional() });
const image = z.object({ type: z.literal('image'), data: z.base64(), mimeType: z.string().max(100) });
const thinking = z.object({
  type: z.literal('thinking'),
  thinking: z.string(),
  thinkingSignature: z.string().optional(),
  redacted: z.boolean().optional(),
});
const toolCall = z.object({
  type: z.literal('toolCall'),
  id: z.string().min(1).max(1_000),
  name: z.string().max(1_000),
  arguments: z.record(z.string(), z.unknown()),
  argumentsError: z.string().optional(),
  thoughtSignature: z.string().optional(),
});

const count = z.number().min(0).catch(0);
const usageSchema = z
  .object({
    input: count,
    output: count,
    cacheRead: count,
    cacheWrite: count,
    totalTokens: count,
    reasoning: count.optional(),
  })
  .transform(({ reasoning, ...usage }): Usage => {
    return { ...usage, ...(reasoning === undefined ? {} : { reasoning }), cost: null };
  });
const noTokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: null };

const userContent = z.preprocess(
  (value) => (typeof value === 'string' ? [{ type: 'text', text: value }] : value),
  z.array(z.discriminatedUnion('type', [text, image])),
);
const timestamp = z.number().default(0);
const name = z.string().max(300).default('');
const message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), content: userContent, timestamp }),
  z.object({
    role: z.literal('assistant'),
    content: z.array(z.discriminatedUnion('type', [text, thinking, toolCall])),
    api: name,
    provider: name,
    model: name,
    timestamp,
    usage: usageSchema.catch(noTokens),
    stopReason: z.enum(['stop', 'length', 'toolUse', 'error', 'aborted']).default('stop'),
  }),
  z.object({
    role: z.literal('toolResult'),
    toolCallId: z.string().min(1).max(1_000),
    toolName: name,
    content: userContent,
    isError: z.boolean().default(false),
    timestamp,
  }),
]);

const maxOutputTokens = 1_000_000;

export const proxyRequestSchema = z.object({
  model: z.preprocess(
    (value) => (typeof value === 'string' ? { id: value } : value),
    z.object({ provider: z.string().max(60).default(''), id: z.string().max(200) }),
  ),
  context: z.object({
    systemPrompt: z.string().default(''),
    messages: z.array(message).max(20_000),
    tools: z
      .array(
        z.object({
          name: z.string().min(1).max(200),
          description: z.string().default(''),
          parameters: z.record(z.string(), z.unknown()),
        }),
      )
      .max(1_000)
      .default([]),
  }),
  /** Further client options are ignored. */
  options: z
    .object({
      temperature: z.number().min(0).max(10).optional(),
      maxTokens: z.number().int().min(1).max(maxOutputTokens).optional(),
      reasoning: z.enum(thinkingLevels).catch('off').default('off'),
      sessionId: z.string().max(200).optional(),
    })
    .default({ reasoning: 'off' }),
});
export type ProxyRequest = z.output<typeof proxyRequestSchema>;

/** Requests the other host's default model. */
export const otherHostsChoice = 'default';

/** A model is named `provider/model`, or `model`, or left to the other host. */
export function encodeRequest(model: string, context: ModelContext, options: ModelOptions): unknown {
  const slash = model.indexOf('/');
  const { temperature, sessionId, thinkingLevel } = options;
  return {
    model: { provider: slash > 0 ? model.slice(0, slash) : '', id: model.slice(slash + 1) },
    context: { systemPrompt: context.system, messages: context.messages, tools: context.tools },
    options: {
      maxTokens: options.maxOutputTokens,
      reasoning: thinkingLevel,
      ...(temperature === undefined ? {} : { temperature }),
      ...(sessionId === undefined ? {} : { sessionId }),
    },
  };
}

const index = z.number().int().min(0).max(100_000);
const opening = z.object({
  type: z.enum(['text_start', 'thinking_start']),
  contentIndex: index,
  redacted: z.boolean().optional(),
});
const delta = z.object({
  type: z.enum(['text_delta', 'thinking_delta', 'toolcall_delta']),
  contentIndex: index,
  delta: z.string(),
});
const closing = z.object({
  type: z.enum(['text_end', 'thinking_end']),
  contentIndex: index,
  contentSignature: z.string().optional(),
});

export const proxyEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start') }),
  opening,
  delta,
  closing,
  z.object({ type: z.literal('toolcall_start'), contentIndex: index, id: z.string(), toolName: z.string() }),
  z.object({
    type: z.literal('toolcall_end'),
    contentIndex: index,
    toolCall: z
      .object({
        arguments: z.record(z.string(), z.unknown()).optional(),
        thoughtSignature: z.string().optional(),
      })
      .optional(),
  }),
  z.object({
    type: z.literal('done'),
    reason: z.enum(['stop', 'length', 'toolUse']),
    usage: usageSchema,
    responseId: z.string().optional(),
  }),
  z.object({
    type: z.literal('error'),
    reason: z.enum(['aborted', 'error']),
    errorMessage: z.string().optional(),
    usage: usageSchema.optional(),
    responseId: z.string().optional(),
    /** Kennel's own: lets the client wait or compact as if it had called the model itself. */
    failure: z
      .object({
        code: errorCodeSchema.catch('model_error'),
        retryable: z.boolean(),
        retryAfterMs: z.number().min(0).optional(),
        overflow: z.boolean().optional(),
      })
      .optional(),
  }),
]);
export type ProxyEvent = z.output<typeof proxyEventSchema>;

export const proxyEventTypes: ReadonlySet<string> = new Set(
  proxyEventSchema.options.flatMap((option) =>
    option.shape.type instanceof z.ZodEnum ? option.shape.type.options : [option.shape.type.value],
  ),
);

export function encodeEvent(event: ModelEvent): ProxyEvent {
  switch (event.type) {
    case 'start':
      return { type: 'start' };
    case 'text_start':
    case 'thinking_start': {
      const { type, contentIndex } = event;
      const block = event.partial.content[contentIndex];
      return {
        type,
        contentIndex,
        ...(block?.type === 'thinking' && block.redacted ? { redacted: true } : {}),
      };
    }
    case 'toolcall_start': {
      const { id, name: toolName } = callAt(event.partial, event.contentIndex);
      return { type: 'toolcall_start', contentIndex: event.contentIndex, id, toolName };
    }
    case 'text_delta':
    case 'thinking_delta':
    case 'toolcall_delta':
      return { type: event.type, contentIndex: event.contentIndex, delta: event.delta };
    case 'text_end':
    case 'thinking_end': {
      const signature = signatureAt(event.partial, event.contentIndex);
      return {
        type: event.type,
        contentIndex: event.contentIndex,
        ...(signature === undefined ? {} : { contentSignature: signature }),
      };
    }
    case 'toolcall_end': {
      const toolCall = callAt(event.partial, event.contentIndex);
      return { type: 'toolcall_end', contentIndex: event.contentIndex, toolCall };
    }
    case 'done': {
      const { usage, responseId } = event.message;
      return {
        type: 'done',
        reason: event.reason,
        usage,
        ...(responseId === undefined ? {} : { responseId }),
      };
    }
    case 'error':
      return encodeError(event);
  }
}

function encodeError({ reason, message, failure }: Extract<ModelEvent, { type: 'error' }>): ProxyEvent {
  const { retryable, retryAfterMs, overflow } = failure;
  return {
    type: 'error',
    reason,
    errorMessage: failure.error.message,
    usage: message.usage,
    ...(message.responseId === undefined ? {} : { responseId: message.responseId }),
    failure: {
      code: failure.error.code,
      retryable,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(overflow === undefined ? {} : { overflow }),
    },
  };
}

function callAt({ content }: AssistantMessage, at: number) {
  const block = content[at];
  const { id, name: tool, arguments: args, thoughtSignature } = block?.type === 'toolCall' ? block : noCall;
  const sealed = thoughtSignature === undefined ? {} : { thoughtSignature };
  return { id, name: tool, arguments: { ...args }, ...sealed };
}
const noCall = { id: '', name: '', arguments: {}, thoughtSignature: undefined };

function signatureAt({ content }: AssistantMessage, at: number): string | undefined {
  const block = content[at];
  if (block?.type === 'text') return block.textSignature;
  return block?.type === 'thinking' ? block.thinkingSignature : undefined;
}

/** Body of an answer other than 200: `{error}`. */
export const proxyRefusal = (error: AppError): string =>
  JSON.stringify({ error: error.message, code: error.code });
