import type { ChatMessage } from '../../contract/model.ts';

/**
 * Id of the message that an agent's message answers: the latest one before it in its thread that the agent
 * has finished; `null` if none is loaded, as for a message that a tool sent.
 */
export function answeredBy(
  messages: readonly ChatMessage[],
  answer: ChatMessage,
  agentId: string,
): string | null {
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
