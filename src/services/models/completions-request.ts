/**
 * Converts a conversation to chat completions. Servers of this API differ, so the request contains nothing
 * unnecessary: no strict schemas, no names, no empty lists.
 */

import type { AssistantMessage, ImageBlock, Message, ToolResultMessage } from '../../core/models/messages.ts';
import type { ModelContext, ModelOptions, ModelTarget } from '../../core/models/model-ports.ts';
import { providerInfo } from '../../core/models/providers.ts';
import { type Body, type Remedy, withoutKeys } from './lenient-fetch.ts';
import { reasoningEffort, upToHigh } from './responses-request.ts';

/**
 * Some servers expect the thinking before a call back in this field; its name is stored as the block's
 * signature.
 */
export const replayedThinking = 'reasoning_content';

export function completionsBody(target: ModelTarget, context: ModelContext, options: ModelOptions): Body {
  const atOpenAi = URL.parse(target.baseUrl)?.hostname.endsWith('openai.com') === true;
  const system = context.system === '' ? [] : [{ role: 'system', content: context.system }];
  const effort = atOpenAi
    ? reasoningEffort(target.model, options.thinkingLevel)
    : options.thinkingLevel === 'off'
      ? null
      : upToHigh(options.thinkingLevel);
  return {
    model: target.model,
    messages: [...system, ...wireMessages(context.messages)],
    stream: true,
    stream_options: { include_usage: true },
    ...(providerInfo(target.provider)?.reportsCost === true ? { usage: { include: true } } : {}),
    // OpenAI rejects the older name for its newer models; the other servers know only the older one.
    [atOpenAi ? 'max_completion_tokens' : 'max_tokens']: options.maxOutputTokens,
    ...(context.tools.length === 0
      ? {}
      : {
          tools: context.tools.map(({ name, description, parameters }) => ({
            type: 'function',
            function: { name, description, parameters },
          })),
        }),
    ...(effort === null ? {} : { reasoning_effort: effort }),
    ...(options.temperature === undefined ? {} : { temperature: options.temperature }),
    ...(atOpenAi && options.sessionId !== undefined
      ? { prompt_cache_key: options.sessionId.slice(0, 64) }
      : {}),
  };
}

export const completionsRemedies: readonly Remedy[] = [
  { named: /stream_options|include_usage/i, without: (body) => withoutKeys(body, 'stream_options') },
  { named: /reasoning_effort|reasoning\b/i, without: (body) => withoutKeys(body, 'reasoning_effort') },
  {
    named: /max_completion_tokens/i,
    without: (body) => renamed(body, 'max_tokens', 'max_completion_tokens'),
  },
  {
    named: /max_completion_tokens/i,
    without: (body) => renamed(body, 'max_completion_tokens', 'max_tokens'),
  },
  { named: /reasoning_content/i, without: withoutThinking },
  { named: /temperature/i, without: (body) => withoutKeys(body, 'temperature') },
  { named: /prompt_cache_key/i, without: (body) => withoutKeys(body, 'prompt_cache_key') },
];

function renamed(body: Body, from: string, to: string): Body {
  return from in body ? { ...withoutKeys(body, from), [to]: body[from] } : body;
}

function withoutThinking(body: Body): Body {
  const messages = body.messages as readonly Body[];
  const lean = messages.map((message) => withoutKeys(message, replayedThinking));
  return lean.some((message, index) => message !== messages[index]) ? { ...body, messages: lean } : body;
}

function wireMessages(messages: readonly Message[]): unknown[] {
  const out: unknown[] = [];
  let pictures: ImageBlock[] = [];
  // Tool results take text only and must directly follow their calls, so their pictures follow in a user
  // message.
  const showPictures = (): void => {
    if (pictures.length > 0) {
      const text = { type: 'text', text: 'Pictures of the results above:' };
      out.push({ role: 'user', content: [text, ...pictures.map(imagePart)] });
    }
    pictures = [];
  };
  for (const message of messages) {
    if (message.role === 'toolResult') {
      out.push(toolMessage(message));
      pictures.push(...message.content.filter((block) => block.type === 'image'));
      continue;
    }
    showPictures();
    if (message.role === 'assistant') out.push(...assistantMessage(message));
    else if (message.content.every((block) => block.type === 'text')) {
      out.push({ role: 'user', content: message.content.map((block) => block.text).join('\n') });
    } else {
      const parts = message.content.map((block) =>
        block.type === 'text' ? { type: 'text', text: block.text } : imagePart(block),
      );
      out.push({ role: 'user', content: parts });
    }
  }
  showPictures();
  return out;
}

const imagePart = ({ mimeType, data }: ImageBlock): unknown => ({
  type: 'image_url',
  image_url: { url: `data:${mimeType};base64,${data}` },
});

function toolMessage({ toolCallId, content }: ToolResultMessage): unknown {
  const text = content.map((block) => (block.type === 'text' ? block.text : '(a picture, shown below)'));
  return { role: 'tool', tool_call_id: toolCallId, content: text.join('\n') };
}

/** Returns nothing if the message has neither text nor call, because servers reject an empty message. */
function assistantMessage({ content }: AssistantMessage): unknown[] {
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  const calls = content
    .filter((block) => block.type === 'toolCall')
    .map(({ id, name, arguments: args }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }));
  if (calls.length === 0) return text === '' ? [] : [{ role: 'assistant', content: text }];
  const thinking = content
    .map((block) =>
      block.type === 'thinking' && block.thinkingSignature === replayedThinking ? block.thinking : '',
    )
    .join('');
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(thinking === '' ? {} : { [replayedThinking]: thinking }),
      tool_calls: calls,
    },
  ];
}
