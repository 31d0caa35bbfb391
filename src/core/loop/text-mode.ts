/**
 * Conversation in the form for a model without native calls: its calls stand in its text, results return as
 * user messages, and the system prompt describes the tools.
 */
import { withoutHeads } from '../agents/user-block.ts';
import type {
  AssistantMessage,
  Message,
  ToolResultMessage,
  TranscriptMessage,
  UserMessage,
} from '../models/messages.ts';
import type { LoopTool } from './loop-tool.ts';
import { isForModel } from './transcript.ts';

/** Prefix of call ids parsed from text; no provider creates such ids. */
export const textCallPrefix = 'text_';

/** Whether the text is a call and not a reply. */
export const callsInText = (message: AssistantMessage): boolean =>
  message.content.some((block) => block.type === 'toolCall' && block.id.startsWith(textCallPrefix));

function resultAsUser(message: ToolResultMessage): UserMessage {
  const heading = message.isError ? `Error of ${message.toolName}:` : `Result of ${message.toolName}:`;
  // As a user message, a result could otherwise imitate a message of a person.
  const content = message.content.map((block) =>
    block.type === 'text' ? { ...block, text: withoutHeads(block.text) } : block,
  );
  return {
    role: 'user',
    content: [{ type: 'text', text: heading }, ...content],
    timestamp: message.timestamp,
  };
}

function inWords(message: Message): Message {
  if (message.role === 'toolResult') return resultAsUser(message);
  if (message.role === 'user') return message;
  return { ...message, content: message.content.filter((block) => block.type !== 'toolCall') };
}

/** Converts each message independently. */
export const textModeMessages = (messages: readonly TranscriptMessage[]): readonly Message[] =>
  messages.filter(isForModel).map(inWords);

const described = (tool: LoopTool): string =>
  `- ${tool.name}: ${tool.description}\n  arguments (JSON Schema): ${JSON.stringify(tool.parameters)}`;

export function textModeInstructions(tools: readonly LoopTool[]): string {
  if (tools.length === 0) return '';
  return [
    '',
    '# Tools',
    'To use a tool, write a call on a line of its own, outside code fences, like this:',
    'tool_name(argument="text", other=42)',
    'Then stop; the result comes in the next message. You have these tools:',
    ...tools.map(described),
  ].join('\n');
}
