/**
 * Reads the standard output of Claude Code (stream-json), line by line. Noise, unknown messages and messages of
 * another shape are `null`: newer versions add kinds, and programs around it print. Lines come from an untrusted
 * program, so each is checked for depth and shape.
 */
import { z } from 'zod';
import { once } from '../../../contract/once.ts';
import { depthWithin } from '../../lib/json-depth.ts';
import { parseSafeJson } from '../../lib/safe-json.ts';
import type { AssistantContent, UserContent } from '../../models/messages.ts';

export interface ClaudeUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export type ClaudeEvent =
  | { readonly type: 'started'; readonly sessionId: string; readonly mode: string; readonly model: string }
  | { readonly type: 'request_started'; readonly model: string; readonly usage: ClaudeUsage }
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly text: string }
  | { readonly type: 'request_ended'; readonly usage: Partial<ClaudeUsage>; readonly stop: string }
  | {
      readonly type: 'assistant';
      readonly messageId: string;
      readonly model: string;
      readonly blocks: readonly AssistantContent[];
      /** The call of a sub-agent that said it, or `null`. */
      readonly parentId: string | null;
    }
  | {
      readonly type: 'tool_result';
      readonly callId: string;
      readonly content: readonly UserContent[];
      readonly isError: boolean;
      readonly parentId: string | null;
    }
  /** The program has added one message of Kennel to its conversation. */
  | { readonly type: 'taken' }
  | {
      readonly type: 'permission';
      readonly requestId: string;
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly callId: string;
    }
  | { readonly type: 'mcp'; readonly requestId: string; readonly server: string; readonly message: unknown }
  /** A request that this reader does not know, and that must be answered. */
  | { readonly type: 'other_request'; readonly requestId: string; readonly subtype: string }
  | { readonly type: 'cancelled'; readonly requestId: string }
  | { readonly type: 'response'; readonly requestId: string; readonly error: string | null }
  | {
      readonly type: 'retry';
      readonly attempt: number;
      readonly inMs: number;
      /** HTTP status, or `null` if the server was not reached. */
      readonly status: number | null;
    }
  /** State of the plan behind a login. `until`: ms since the epoch, `null` if unknown. */
  | { readonly type: 'limit'; readonly isReached: boolean; readonly until: number | null }
  | ClaudeResult;

export interface ClaudeResult {
  readonly type: 'result';
  readonly isError: boolean;
  readonly subtype: string;
  readonly text: string;
  /** Why it ended, e.g. `completed`, `api_error`, `aborted_streaming`; empty in older versions. */
  readonly reason: string;
  /** US dollars of the process so far; `null` if not reported. */
  readonly totalUsd: number | null;
  readonly usage: ClaudeUsage;
}

const maxDepth = 64;

const count = z.number().min(0).catch(0);
const usageSchema = z
  .object({
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
  })
  .transform(
    (usage): ClaudeUsage => ({
      input: usage.input_tokens,
      output: usage.output_tokens,
      cacheRead: usage.cache_read_input_tokens,
      cacheWrite: usage.cache_creation_input_tokens,
    }),
  );
const noUsage: ClaudeUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

const parent = z.string().nullish().default(null);
const record = z.record(z.string(), z.unknown());

const textBlock = z.object({ type: z.literal('text'), text: z.string() });
const blockSchema = z.discriminatedUnion('type', [
  textBlock,
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: record }),
]);

const imageBlock = z
  .object({
    type: z.literal('image'),
    source: z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
  })
  .transform(({ source }) => ({ type: 'image', mimeType: source.media_type, data: source.data }) as const);

const resultBlock = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.unknown(),
  is_error: z.boolean().nullish(),
});

const schemas = once(() => ({
  system: z.object({
    type: z.literal('system'),
    subtype: z.string(),
    session_id: z.string().catch(''),
    permissionMode: z.string().catch(''),
    model: z.string().catch(''),
    attempt: z.number().catch(1),
    retry_delay_ms: count,
    error_status: z.number().nullish().catch(null),
  }),
  stream: z.object({
    type: z.literal('stream_event'),
    parent_tool_use_id: parent,
    event: z.object({
      type: z.string(),
      message: z.object({ model: z.string(), usage: usageSchema.catch(noUsage) }).optional(),
      delta: z
        .object({
          type: z.string().optional(),
          text: z.string().optional(),
          thinking: z.string().optional(),
          stop_reason: z.string().nullish(),
        })
        .optional()
        .catch(undefined),
      usage: record.optional().catch(undefined),
    }),
  }),
  assistant: z.object({
    type: z.literal('assistant'),
    parent_tool_use_id: parent,
    message: z.object({ id: z.string(), model: z.string(), content: z.array(z.unknown()) }),
  }),
  user: z.object({
    type: z.literal('user'),
    isReplay: z.boolean().optional(),
    parent_tool_use_id: parent,
    message: z.object({ content: z.unknown() }),
  }),
  request: z.object({
    type: z.literal('control_request'),
    request_id: z.string(),
    request: z.looseObject({ subtype: z.string() }),
  }),
  permission: z.object({ tool_name: z.string(), input: record, tool_use_id: z.string() }),
  mcp: z.object({ server_name: z.string(), message: z.unknown() }),
  cancel: z.object({ type: z.literal('control_cancel_request'), request_id: z.string() }),
  response: z.object({
    type: z.literal('control_response'),
    response: z.object({ subtype: z.string(), request_id: z.string(), error: z.string().optional() }),
  }),
  limit: z.object({
    rate_limit_info: z.object({
      status: z.string(),
      /** Seconds since the epoch. */
      resetsAt: z.number().nullish().default(null).catch(null),
      overageStatus: z.string().catch(''),
      isUsingOverage: z.boolean().catch(false),
    }),
  }),
  result: z.object({
    type: z.literal('result'),
    subtype: z.string(),
    is_error: z.boolean().catch(false),
    result: z.string().catch(''),
    errors: z.array(z.string()).catch([]),
    terminal_reason: z.string().catch(''),
    total_cost_usd: z.number().nullish().catch(null),
    usage: usageSchema.catch(noUsage),
  }),
}));
type Schemas = ReturnType<typeof schemas>;

const none: readonly ClaudeEvent[] = [];

/** The events of one line, in order; empty if the turn needs none of it. */
export function readClaudeLine(line: string): readonly ClaudeEvent[] {
  if (!line.startsWith('{') || !depthWithin(line, maxDepth)) return none;
  let value: unknown;
  try {
    value = parseSafeJson(line);
  } catch {
    return none;
  }
  const type = z.object({ type: z.string() }).safeParse(value);
  const read = type.success && Object.hasOwn(readers, type.data.type) ? readers[type.data.type] : undefined;
  return read?.(value, schemas()) ?? none;
}

const readers: Readonly<Record<string, (value: unknown, known: Schemas) => readonly ClaudeEvent[]>> = {
  system: readSystem,
  stream_event: readStream,
  assistant: readAssistant,
  user: readUser,
  control_request: readRequest,
  rate_limit_event(value, { limit }) {
    const parsed = limit.safeParse(value);
    if (!parsed.success) return none;
    const { status, resetsAt, overageStatus, isUsingOverage } = parsed.data.rate_limit_info;
    const isReached = status === 'rejected' && !isUsingOverage && !overageStatus.startsWith('allowed');
    return [{ type: 'limit', isReached, until: resetsAt === null ? null : resetsAt * 1000 }];
  },
  control_cancel_request(value, { cancel }) {
    const parsed = cancel.safeParse(value);
    return parsed.success ? [{ type: 'cancelled', requestId: parsed.data.request_id }] : none;
  },
  control_response(value, { response }) {
    const parsed = response.safeParse(value);
    if (!parsed.success) return none;
    const { subtype, request_id: requestId, error = subtype } = parsed.data.response;
    return [{ type: 'response', requestId, error: subtype === 'success' ? null : error }];
  },
  result(value, { result }) {
    const parsed = result.safeParse(value);
    if (!parsed.success) return none;
    const { subtype, is_error: isError, terminal_reason: reason, usage, errors } = parsed.data;
    const text = [parsed.data.result, ...errors].filter((one) => one !== '').join(' ');
    const totalUsd = parsed.data.total_cost_usd ?? null;
    return [{ type: 'result', subtype, isError, text, reason, totalUsd, usage }];
  },
};

function readSystem(value: unknown, { system }: Schemas): readonly ClaudeEvent[] {
  const parsed = system.safeParse(value);
  if (!parsed.success) return none;
  const { subtype, session_id: sessionId, permissionMode: mode, model } = parsed.data;
  if (subtype === 'init') return [{ type: 'started', sessionId, mode, model }];
  if (subtype !== 'api_retry') return none;
  const { attempt, retry_delay_ms: inMs, error_status: status } = parsed.data;
  return [{ type: 'retry', attempt, inMs, status: status ?? null }];
}

/** Partial text of the agent itself; that of sub-agents is part of a tool call. */
function readStream(value: unknown, { stream }: Schemas): readonly ClaudeEvent[] {
  const parsed = stream.safeParse(value);
  if (!parsed.success || parsed.data.parent_tool_use_id !== null) return none;
  const { type, message, delta, usage } = parsed.data.event;
  if (type === 'message_start' && message)
    return [{ type: 'request_started', model: message.model, usage: message.usage }];
  if (type === 'content_block_delta' && delta?.type === 'text_delta' && delta.text)
    return [{ type: 'text_delta', text: delta.text }];
  if (type === 'content_block_delta' && delta?.type === 'thinking_delta' && delta.thinking)
    return [{ type: 'thinking_delta', text: delta.thinking }];
  if (type !== 'message_delta' || !delta) return none;
  const ended = usageSchema.safeParse(usage);
  return [{ type: 'request_ended', usage: ended.success ? ended.data : {}, stop: delta.stop_reason ?? '' }];
}

/** Blocks that are neither text nor a call, such as thinking, stay with the program. */
function readAssistant(value: unknown, { assistant }: Schemas): readonly ClaudeEvent[] {
  const parsed = assistant.safeParse(value);
  if (!parsed.success) return none;
  const { message, parent_tool_use_id: parentId } = parsed.data;
  const blocks = message.content.flatMap((one): AssistantContent[] => {
    const block = blockSchema.safeParse(one);
    if (!block.success) return [];
    if (block.data.type === 'text') return [block.data];
    const { id, name, input } = block.data;
    return [{ type: 'toolCall', id, name, arguments: input }];
  });
  return [{ type: 'assistant', messageId: message.id, model: message.model, blocks, parentId }];
}

function readUser(value: unknown, { user }: Schemas): readonly ClaudeEvent[] {
  const parsed = user.safeParse(value);
  if (!parsed.success) return none;
  const { message, isReplay, parent_tool_use_id: parentId } = parsed.data;
  if (isReplay === true) return [{ type: 'taken' }];
  if (!Array.isArray(message.content)) return none;
  return message.content.flatMap((one): ClaudeEvent[] => {
    const block = resultBlock.safeParse(one);
    if (!block.success) return [];
    const { tool_use_id: callId, content, is_error } = block.data;
    return [
      { type: 'tool_result', callId, content: resultContent(content), isError: is_error === true, parentId },
    ];
  });
}

function resultContent(content: unknown): readonly UserContent[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((one): UserContent[] => {
    const block = z.union([textBlock, imageBlock]).safeParse(one);
    return block.success ? [block.data] : [];
  });
}

function readRequest(value: unknown, { request, permission, mcp }: Schemas): readonly ClaudeEvent[] {
  const parsed = request.safeParse(value);
  if (!parsed.success) return none;
  const { request_id: requestId, request: asked } = parsed.data;
  const { subtype } = asked;
  if (subtype === 'can_use_tool') {
    const call = permission.safeParse(asked);
    if (call.success) {
      const { tool_name: tool, input, tool_use_id: callId } = call.data;
      return [{ type: 'permission', requestId, tool, input, callId }];
    }
  }
  if (subtype === 'mcp_message') {
    const call = mcp.safeParse(asked);
    if (call.success)
      return [{ type: 'mcp', requestId, server: call.data.server_name, message: call.data.message }];
  }
  // Also a permission request of another shape: what cannot be read is refused.
  return [{ type: 'other_request', requestId, subtype }];
}
