/**
 * Converts a conversation to Google's generateContent; each signature returns on the part that it arrived
 * with.
 */

import type {
  AssistantMessage,
  Message,
  ToolResultMessage,
  UserContent,
} from '../../core/models/messages.ts';
import type { ModelContext, ModelOptions, ThinkingLevel } from '../../core/models/model-ports.ts';

type Part = Record<string, unknown>;
interface Content {
  readonly role: 'user' | 'model';
  readonly parts: Part[];
}

/** Google documents this signature for calls of other models, because its newer models require one. */
const foreignCall = 'skip_thought_signature_validator';

export function googleBody(model: string, context: ModelContext, options: ModelOptions): unknown {
  const { system, tools } = context;
  const { maxOutputTokens, temperature } = options;
  const thinkingConfig = thinkingOf(model, options.thinkingLevel);
  return {
    ...(system.trim() === '' ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    contents: contents(context.messages, generation(model) >= 300),
    ...(tools.length === 0
      ? {}
      : {
          tools: [
            {
              functionDeclarations: tools.map(({ name, description, parameters }) => ({
                name,
                description,
                parametersJsonSchema: parameters,
              })),
            },
          ],
        }),
    generationConfig: {
      maxOutputTokens,
      ...(temperature === undefined ? {} : { temperature }),
      ...(thinkingConfig === null ? {} : { thinkingConfig }),
    },
  };
}

function contents(messages: readonly Message[], signed: boolean): Content[] {
  const made: Content[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'model' : 'user';
    const parts = partsOf(message, signed);
    if (parts.length === 0) continue;
    const last = made.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else made.push({ role, parts });
  }
  return made;
}

function partsOf(message: Message, signed: boolean): Part[] {
  if (message.role === 'user') return userParts(message.content);
  return message.role === 'assistant' ? modelParts(message, signed) : resultParts(message);
}

function userParts(content: readonly UserContent[]): Part[] {
  return content.flatMap((block): Part[] => {
    if (block.type === 'image') return [{ inlineData: { mimeType: block.mimeType, data: block.data } }];
    return block.text === '' ? [] : [{ text: block.text }];
  });
}

function modelParts({ content }: AssistantMessage, signed: boolean): Part[] {
  const calls = content.filter((block) => block.type === 'toolCall');
  const foreign = signed && !calls[0]?.thoughtSignature ? calls[0]?.id : undefined;
  return content.flatMap((block): Part[] => {
    if (block.type === 'text') {
      return block.text === '' ? [] : [{ text: block.text, ...signature(block.textSignature) }];
    }
    // Thinking summaries are for people; the model needs only the signature on the part that follows.
    if (block.type === 'thinking') return [];
    const { id, name, arguments: args } = block;
    const mark = block.thoughtSignature ?? (id === foreign ? foreignCall : undefined);
    return [{ functionCall: { id, name, args }, ...signature(mark) }];
  });
}

const signature = (thoughtSignature: string | undefined): Part =>
  thoughtSignature ? { thoughtSignature } : {};

function resultParts(message: ToolResultMessage): Part[] {
  const text = message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const images = message.content.filter((block) => block.type === 'image');
  const response = message.isError ? { error: text } : { output: text };
  const { toolCallId: id, toolName: name } = message;
  return [{ functionResponse: { id, name, response } }, ...userParts(images)];
}

/** `gemini-2.5-flash` is 205; a name without a number counts as old. */
function generation(model: string): number {
  const found = /gemini-(\d{1,2})(?:[.](\d{1,2}))?/.exec(model);
  return found ? Number(found[1]) * 100 + Number(found[2] ?? 0) : 0;
}

const budgets: Readonly<Record<Exclude<ThinkingLevel, 'off'>, number>> = {
  minimal: 512,
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  xhigh: 24_576,
  max: 24_576,
};

/**
 * Models before 2.5 cannot think; 2.5 takes a token budget; later ones take levels and cannot disable
 * thinking.
 */
function thinkingOf(model: string, level: ThinkingLevel): Part | null {
  const number = generation(model);
  if (number < 205) return null;
  const includeThoughts = level !== 'off';
  if (number < 300) {
    const least = model.includes('pro') ? 128 : 0;
    return { includeThoughts, thinkingBudget: level === 'off' ? least : budgets[level] };
  }
  if (level === 'off' || level === 'minimal') {
    const minimal = model.includes('flash') && number < 400;
    return { includeThoughts, thinkingLevel: minimal ? 'minimal' : 'low' };
  }
  return { includeThoughts, thinkingLevel: level === 'low' || level === 'medium' ? level : 'high' };
}
