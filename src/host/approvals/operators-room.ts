import { dmRoomId } from '../../contract/room-id.ts';
import { readConversation } from '../../core/agents/thread-key.ts';
import type { AgentFacts } from '../../core/approvals/approval-ports.ts';
import type { Operator } from '../identity/operator.ts';

export interface OperatorsRoomDeps {
  readonly operator: Pick<Operator, 'session'>;
  /** Empty or absent if the agent has none. */
  slugOf(agentId: string): string | undefined;
}

/**
 * The room of an agent's conversation from the operator's side, or `null` if the operator is not a member.
 */
export type OperatorsRoom = (agentId: string, threadKey: string) => AgentFacts['room'];

export const createOperatorsRoom =
  ({ operator, slugOf }: OperatorsRoomDeps): OperatorsRoom =>
  (agentId, threadKey) => {
    const session = operator.session();
    const slug = slugOf(agentId);
    if (!session || !slug) return null;
    const place = readConversation(threadKey);
    if (place === null) return null;
    if (place.kind === 'dm') {
      if (place.slug !== session.self.slug) return null;
      return { roomId: dmRoomId(slug, place.conversationId), threadRootId: null };
    }
    const member = session.self.account.rooms().channels.some(({ id }) => id === place.channelId);
    return member ? { roomId: place.channelId, threadRootId: place.rootId } : null;
  };
