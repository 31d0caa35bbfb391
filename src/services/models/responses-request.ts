/**
 * Converts a conversation to the Responses API: input items, nothing stored by the server, reasoning sent
 * back encrypted.
 */

import { z } from 'zod';
import { jsonAs } from '../../core/lib/json-as.ts';
import type { AssistantMessage, Message, UserContent } from '../../core/models/messages.ts';
import type {
  ModelContext,
  ModelOptions,
  ModelTarget,
  ThinkingLevel,
} from '../../core/models/model-ports.ts';
import type { Body, Remedy } from './lenient-fetch.ts';
import { withoutKeys } from './lenient-fetch.ts';

/** The API's minimum. */
const minOutputTokens = 16;

export const reasoningItemSchema = z.looseObject({
  type: z.literal('reasoning'),
  id: z.string(),
  encrypted_content: z.string().min(1),
  summary: z.array(z.looseObject({ type: z.string(), text: z.string() })),
});

export function responsesBody(target: ModelTarget, context: ModelContext, options: ModelOptions): Body {
  const effort = reasoningEffort(target.model, options.thinkingLevel);
  return {
    model: target.model,
    ...(context.system === '' ? {} : { instructions: context.system }),
    input: context.messages.flatMap((message) => inputItems(message)),
    stream: true,
    store: false,
    max_output_tokens: Math.max(minOutputTokens, options.maxOutputTokens),
    ...(effort === null
      ? {}
      : { reasoning: { effort, summary: 'auto' }, include: ['reasoning.encrypted_content'] }),
    ...(context.tools.length === 0
      ? {}
      : {
          tools: context.tools.map(({ name, description, parameters }) => ({
            type: 'function',
            name,
            description,
            parameters,
            strict: false,
          })),
        }),
    ...(options.temperature === undefined ? {} : { temperature: options.temperature }),
    ...(options.sessionId === undefined ? {} : { prompt_cache_key: options.sessionId.slice(0, 64) }),
  };
}

/**
 * `null` if the model has no reasoning, so that the field is omitted. `off` becomes the lowest effort that
 * the family accepts.
 */
export function reasoningEffort(model: string, level: ThinkingLevel): string | null {
  const name = model.slice(model.lastIndexOf('/') + 1);
  if (/^o\d/.test(name)) return level === 'off' || level === 'minimal' ? 'low' : upToHigh(level);
  if (/^gpt-5(-|$)/.test(name)) return level === 'off' ? 'minimal' : upToHigh(level);
  if (/^(gpt-([5-9]|\d\d)|codex)/.test(name)) return level === 'off' ? 'none' : level;
  return level === 'off' ? null : upToHigh(level);
}

export const upToHigh = (level: ThinkingLevel): string =>
  level === 'xhigh' || level === 'max' ? 'high' : level;

/** Fields that unverified organisations, models without reasoning or imitating servers reject. */
export const responsesRemedies: readonly Remedy[] = [
  {
    named: /reasoning[._ ]summar/i,
    without: (body) => ('reasoning' in body ? { ...body, reasoning: withoutSummary(body.reasoning) } : body),
  },
  { named: /reasoning|encrypted/i, without: (body) => withoutKeys(body, 'reasoning', 'include') },
  { named: /temperature/i, without: (body) => withoutKeys(body, 'temperature') },
  { named: /prompt_cache_key/i, without: (body) => withoutKeys(body, 'prompt_cache_key') },
];

const withoutSummary = (reasoning: unknown): unknown =>
  typeof reasoning === 'object' && reasoning && 'effort' in reasoning
    ? { effort: reasoning.effort }
    : reasoning;

function inputItems(message: Message): unknown[] {
  if (message.role === 'user') return [{ role: 'user', content: message.content.map(inputContent) }];
  if (message.role === 'assistant') return assistantItems(message);
  const { toolCallId, content } = message;
  const plain = content.every((block) => block.type === 'text');
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  const output = plain ? text : content.map(inputContent);
  return [{ type: 'function_call_output', call_id: toolCallId, output }];
}

const inputContent = (block: UserContent): unknown =>
  block.type === 'text'
    ? { type: 'input_text', text: block.text }
    : {
        type: 'input_image',
        image_url: `data:${block.mimeType};base64,${block.data}`,
        detail: 'auto',
      };

/** The API rejects reasoning that nothing follows, so it is held until the next item. */
function assistantItems(message: AssistantMessage): unknown[] {
  const items: unknown[] = [];
  let waiting: unknown[] = [];
  const add = (item: unknown): void => {
    items.push(...waiting, item);
    waiting = [];
  };
  for (const block of message.content) {
    if (block.type === 'thinking') waiting.push(...sealedReasoning(block.thinkingSignature));
    else if (block.type === 'toolCall') {
      const text = JSON.stringify(block.arguments);
      add({ type: 'function_call', call_id: block.id, name: block.name, arguments: text });
    } else if (block.text !== '') add({ role: 'assistant', content: block.text });
  }
  return items;
}

/** Only reasoning that the server itself encrypted; it would look up anything else and not find it. */
function sealedReasoning(signature: string | undefined): unknown[] {
  const item = signature ? jsonAs(reasoningItemSchema, signature) : null;
  if (!item) return [];
  const { type, id, encrypted_content, summary } = item;
  return [{ type, id, encrypted_content, summary }];
}
