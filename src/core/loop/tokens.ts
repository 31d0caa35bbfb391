/** Estimates tokens if no provider has reported them: UTF-8 bytes / 4, and a flat number per picture. */

import type {
  AssistantContent,
  AssistantMessage,
  TranscriptMessage,
  Usage,
  UserContent,
} from '../models/messages.ts';
import type { ModelContext, ModelFacts } from '../models/model-ports.ts';

const imageTokens = 1_200;

/** Bytes, not characters: one Chinese character is about one token, four English letters are one. */
function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    // Each half of a surrogate pair stands for two of its four bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}

export const textTokens = (text: string): number => Math.ceil(utf8Length(text) / 4);

/** At most this many tokens from the start; a cut is marked. */
export function cutToTokens(text: string, tokens: number): string {
  const has = textTokens(text);
  if (has <= tokens) return text;
  return `${text.slice(0, Math.max(0, Math.floor((text.length * (tokens - 2)) / has)))} […]`;
}

function blockBytes(block: AssistantContent | UserContent): number {
  switch (block.type) {
    case 'text':
      return utf8Length(block.text);
    case 'thinking':
      return utf8Length(block.thinking);
    case 'image':
      return imageTokens * 4;
    case 'toolCall':
      return block.name.length + argumentBytes(block.arguments);
  }
}

/** Estimates without serialising, because arguments can be large and every message is measured. */
function argumentBytes(value: unknown): number {
  if (typeof value === 'string') return utf8Length(value) + 2;
  if (typeof value !== 'object' || value === null) return 5;
  let sum = 2;
  for (const [key, member] of Object.entries(value)) sum += key.length + 4 + argumentBytes(member);
  return sum;
}

export function estimateTokens(message: TranscriptMessage): number {
  if (message.role === 'note' || message.role === 'notification' || message.role === 'compaction') return 0;
  let bytes = 0;
  for (const block of message.content) bytes += blockBytes(block);
  return Math.ceil(bytes / 4);
}

/** Cached, because many requests share one declaration list. */
const toolBytes = new WeakMap<ModelContext['tools'], number>();

/** Tokens of the system prompt and tools, which every request contains. */
export function overheadTokens({ system, tools }: Pick<ModelContext, 'system' | 'tools'>): number {
  const known = toolBytes.get(tools) ?? utf8Length(JSON.stringify(tools));
  toolBytes.set(tools, known);
  return Math.ceil((utf8Length(system) + known) / 4);
}

export const estimateContext = (context: ModelContext): number =>
  context.messages.reduce((sum, one) => sum + estimateTokens(one), overheadTokens(context));

/** Least tokens to request: a full window makes the server report an overflow, which triggers compaction. */
const leastOutput = 256;

/** Most tokens of an answer: the wanted number, limited by the model and its free window. */
export function outputLimit(
  context: ModelContext,
  wanted: number,
  { contextWindow, maxOutputTokens }: Pick<ModelFacts, 'contextWindow' | 'maxOutputTokens'>,
): number {
  const most = Math.min(wanted, maxOutputTokens ?? wanted);
  if (contextWindow === null) return most;
  return Math.min(most, Math.max(leastOutput, contextWindow - estimateContext(context)));
}

/**
 * Usage as the server reported it. Servers report the total at the end, so the output of a failed or aborted
 * response is estimated if more arrived than was reported. `context` is what was sent.
 */
export function countedUsage(message: AssistantMessage, context: ModelContext): Usage {
  const { usage, content, stopReason } = message;
  const unfinished = stopReason === 'error' || stopReason === 'aborted';
  if (!unfinished || usage.cost || content.length === 0) return usage;
  const written = Math.max(usage.output, estimateTokens(message));
  const read = usage.input + usage.cacheRead + usage.cacheWrite;
  const input = read > 0 ? usage.input : estimateContext(context);
  const totalTokens = input + usage.cacheRead + usage.cacheWrite + written;
  return { ...usage, input, output: written, totalTokens };
}
