import type { ChatMessage } from '../../contract/model.ts';
import { act } from '../state/action.ts';
import { useAgentBySlug, useReplica } from '../state/subscriptions.ts';

/**
 * Id of the message that an agent's message answers: the latest one before it in its thread that the agent
 * has finished; `null` if none is loaded, as for a message that a tool sent.
 */
function answeredBy(messages: readonly ChatMessage[], answer: ChatMessage, agentId: string): string | null {
  const root = answer.threadRootId ?? answer.id;
  const asked = messages.findLast(
    ({ id, threadRootId, sentAt, marks }) =>
      id !== answer.id &&
      (id === root || threadRootId === root) &&
      sentAt <= answer.sentAt &&
      marks.some((mark) => mark.agentId === agentId && (mark.state === 'done' || mark.state === 'failed')),
  );
  return asked?.id ?? null;
}

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
