/**
 * Decides if a conversation holds untrusted content (T9), by the origin of its messages and tool results,
 * never by their text.
 */
import { isSummary } from '../loop/plan-compaction.ts';
import type { TranscriptMessage, UserMessage } from '../models/messages.ts';

export interface TaintRules {
  isOperator(slug: string): boolean;
  /** True if the results of this tool are untrusted content. */
  isForeign(tool: string): boolean;
}

/**
 * A message without an origin is the host's own, e.g. the goal of a task, which has its own taint flag. Some stores
 * have summaries without one: what those replaced is unknown.
 */
function isUntrusted(message: UserMessage, { isOperator }: TaintRules): boolean {
  const { origin } = message;
  if (!origin) return isSummary(message);
  return origin.untrusted || origin.messages.some(({ senderSlug }) => !isOperator(senderSlug));
}

export function isTainted(messages: readonly TranscriptMessage[], rules: TaintRules): boolean {
  return messages.some((message) => {
    if (message.role === 'toolResult') return rules.isForeign(message.toolName);
    return message.role === 'user' && isUntrusted(message, rules);
  });
}
