/** Whether words of others are in a conversation (T9): in doubt they are. */
import { isSummary } from '../../core/loop/compaction.ts';
import { messageText, type TranscriptMessage } from '../../core/models/messages.ts';

const sender = /^- sender_slug: (.*)$/gm;

export interface TaintRules {
  isOperator(slug: string): boolean;
  /** Results of this tool are words of others. */
  isForeign(tool: string): boolean;
}

export function isTainted(messages: readonly TranscriptMessage[], rules: TaintRules): boolean {
  return messages.some((message) => {
    if (message.role === 'toolResult') return rules.isForeign(message.toolName);
    if (message.role !== 'user') return false;
    // What was summed up may have held anything.
    if (isSummary(message)) return true;
    return [...messageText(message).matchAll(sender)].some(
      ([, slug]) => !rules.isOperator((slug ?? '').trim()),
    );
  });
}
