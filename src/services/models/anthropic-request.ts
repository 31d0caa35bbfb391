/**
 * Converts a conversation to Anthropic's messages API, with cache breakpoints so that the provider can reuse
 * its prefix.
 */

import type { AssistantContent, AssistantMessage, Message, UserContent } from '../../core/models/messages.ts';
import type { ModelContext, ModelOptions } from '../../core/models/model-ports.ts';
import { anthropicThinking } from './anthropic-thinking.ts';

type Block = Record<string, unknown>;
interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: Block[];
}

/** A cache breakpoint: the provider caches everything up to and including this block for a few minutes. */
const cached = { cache_control: { type: 'ephemeral' } };

export function anthropicBody(model: string, context: ModelContext, options: ModelOptions): unknown {
  const { system, tools } = context;
  const declared = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    input_schema: parameters,
  }));
  return {
    model,
    max_tokens: options.maxOutputTokens,
    stream: true,
    ...(system.trim() === '' ? {} : { system: [{ type: 'text', text: system, ...cached }] }),
    messages: markLast(turns(context.messages)),
    ...(declared.length === 0 ? {} : { tools: markedAtEnd(declared) }),
    ...anthropicThinking(model, options),
  };
}

/** The results of one batch of calls, and the user's text after it, must be in one turn. */
function turns(messages: readonly Message[]): Turn[] {
  const made: Turn[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = blocksOf(message);
    if (content.length === 0) continue;
    const last = made.at(-1);
    if (last?.role === role) last.content.push(...content);
    else made.push({ role, content });
  }
  return made;
}

function blocksOf(message: Message): Block[] {
  switch (message.role) {
    case 'user':
      return contentBlocks(message.content);
    case 'assistant':
      return assistantBlocks(message);
    case 'toolResult': {
      const content = contentBlocks(message.content);
      const result = { type: 'tool_result', tool_use_id: message.toolCallId, is_error: message.isError };
      return [content.length === 0 ? result : { ...result, content }];
    }
  }
}

/** The API rejects empty text. */
function contentBlocks(content: readonly UserContent[]): Block[] {
  return content.flatMap((block): Block[] => {
    if (block.type === 'text') return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text }];
    return [{ type: 'image', source: { type: 'base64', media_type: block.mimeType, data: block.data } }];
  });
}

const assistantBlocks = ({ content }: AssistantMessage): Block[] => content.flatMap(assistantBlock);

function assistantBlock(block: AssistantContent): Block[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text }];
    case 'toolCall':
      return [{ type: 'tool_use', id: block.id, name: block.name, input: block.arguments }];
    case 'thinking': {
      const { thinking, thinkingSignature: signature, redacted } = block;
      // The API rejects unsigned thinking; the hand-off to another model has already dropped foreign
      // thinking.
      if (!signature) return [];
      return redacted
        ? [{ type: 'redacted_thinking', data: signature }]
        : [{ type: 'thinking', thinking, signature }];
    }
  }
}

/** Sets the breakpoint on the last block of the newest turn that may carry one. */
function markLast(made: readonly Turn[]): readonly Turn[] {
  const last = made.at(-1);
  if (last?.role !== 'user') return made;
  return [...made.slice(0, -1), { role: 'user', content: markedAtEnd(last.content) }];
}

function markedAtEnd(blocks: readonly Block[]): Block[] {
  return blocks.map((block, index) => (index === blocks.length - 1 ? { ...block, ...cached } : block));
}
