import { dmRoomId } from '../../contract/room-id.ts';
import { readConversation } from '../../core/agents/thread-key.ts';
import type { AgentFacts } from '../../core/approvals/approval-ports.ts';
import type { HostContext } from '../context.ts';

/**
 * The room of an agent's conversation from the operator's side, or `null` if the operator is not a member.
 */
export function operatorsRoom(
  context: Pick<HostContext, 'fleet' | 'operator'>,
  agentId: string,
  threadKey: string,
): AgentFacts['room'] {
  const session = context.operator.session();
  const slug = context.fleet.post(agentId)?.slug;
  if (!session || !slug) return null;
  const place = readConversation(threadKey);
  if (place === null) return null;
  if (place.kind === 'dm') {
    return place.slug === session.self.slug ? { roomId: dmRoomId(slug), threadRootId: null } : null;
  }
  const member = session.self.account.rooms().channels.some(({ id }) => id === place.channelId);
  return member ? { roomId: place.channelId, threadRootId: place.rootId } : null;
}
