/** Whether untrusted content is in a conversation (T9), by the messages and tools it came from, never by its text. */
import type { TranscriptMessage, UserMessage } from '../../core/models/messages.ts';

export interface TaintRules {
  isOperator(slug: string): boolean;
  /** Results of this tool are untrusted content. */
  isForeign(tool: string): boolean;
}

/** A message without an origin is the host's own, e.g. the goal of a task, which has a taint of its own. */
function isUntrusted({ origin }: UserMessage, { isOperator }: TaintRules): boolean {
  if (!origin) return false;
  return origin.untrusted || origin.messages.some(({ senderSlug }) => !isOperator(senderSlug));
}

export function isTainted(messages: readonly TranscriptMessage[], rules: TaintRules): boolean {
  return messages.some((message) => {
    if (message.role === 'toolResult') return rules.isForeign(message.toolName);
    return message.role === 'user' && isUntrusted(message, rules);
  });
}
