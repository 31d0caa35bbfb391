/** A rough count of tokens where no provider has told one: characters / 4, and a flat price for a picture. */
import type { ModelContext, ModelFacts } from '../model-ports.ts';
import type {
  AssistantContent,
  AssistantMessage,
  TranscriptMessage,
  Usage,
  UserContent,
} from '../models/messages.ts';

const imageTokens = 1_200;

function blockChars(block: AssistantContent | UserContent): number {
  switch (block.type) {
    case 'text':
      return block.text.length;
    case 'thinking':
      return block.thinking.length;
    case 'image':
      return imageTokens * 4;
    case 'toolCall':
      return block.name.length + argumentChars(block.arguments);
  }
}

/** Without making the text: arguments can be large and this is asked for every message. */
function argumentChars(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 5;
  let sum = 2;
  for (const [key, member] of Object.entries(value)) sum += key.length + 4 + argumentChars(member);
  return sum;
}

export function estimateTokens(message: TranscriptMessage): number {
  if (message.role === 'note' || message.role === 'notification' || message.role === 'compaction') return 0;
  let chars = 0;
  for (const block of message.content) chars += blockChars(block);
  return Math.ceil(chars / 4);
}

const estimateContext = ({ system, tools, messages }: ModelContext): number =>
  messages.reduce(
    (sum, one) => sum + estimateTokens(one),
    Math.ceil((system.length + JSON.stringify(tools).length) / 4),
  );

/** Fewer are never asked for: a server whose window is full says so, and the conversation is compacted. */
const leastOutput = 256;

/** Tokens that an answer may have: what is wanted, as far as the model can give it and its window leaves room. */
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
 * What a response is counted as: what its server told. Servers tell the whole of it at the end, so what a response that
 * failed or was aborted wrote until then is estimated where more arrived than was told. `context` is what was sent.
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
