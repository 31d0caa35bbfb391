import type { ChatMessage } from '../../contract/model.ts';
import { act } from '../state/action.ts';
import { useAgentBySlug, useReplica } from '../state/subscriptions.ts';
import { answeredBy } from './answered-by.ts';

/**
 * Asks an own agent for another answer to the message that it answered here; this answer stays. `null` for
 * messages of others and for a question card.
 */
export function useAnswerAgain(message: ChatMessage): (() => void) | null {
  const { link, room } = useReplica();
  const agent = useAgentBySlug(message.senderAgent && message.asks === null ? message.senderSlug : null);
  if (agent === null) return null;
  return () => {
    const asked = answeredBy(room(message.roomId).store.getState().state?.messages ?? [], message, agent.id);
    if (asked !== null) void act(link, 'chat.answerAgain', { agent: agent.id, message: asked });
  };
}
