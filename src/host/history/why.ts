import type { AgentWhy } from '../../contract/history-methods.ts';
import { dmRoomId } from '../../contract/room-id.ts';
import { whyOf } from '../../core/agents/why.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { HostContext } from '../context.ts';

type WhyContext = Pick<HostContext, 'agents' | 'fleet' | 'chat' | 'operator'>;

export function findMessage({ fleet, agents, operator }: WhyContext, id: string): StoredMessage | null {
  const own = operator.session()?.self.store.message(id);
  if (own) return own;
  for (const agent of agents.list()) {
    const message = fleet.post(agent.id)?.store?.message(id);
    if (message) return message;
  }
  return null;
}

/** One entry per agent that has the message or is a member of its room. */
export function whyAll(context: WhyContext, message: StoredMessage): AgentWhy[] {
  return context.agents
    .list()
    .filter((agent) => {
      const decision = context.fleet.post(agent.id)?.store?.decision(message.envelopeId);
      return decision || isThere(context, configInForce(agent).puffo_core.slug, message);
    })
    .map((agent) => whyOne(context, agent, message));
}

/** The agent's decision on a message; without a message, why its messages cannot be read. */
export function whyOne(
  { fleet }: WhyContext,
  agent: LoadedAgent,
  message: Pick<StoredMessage, 'envelopeId' | 'senderSlug'> | null,
): AgentWhy {
  const config = configInForce(agent);
  const post = fleet.post(agent.id);
  const live = fleet.live(agent);
  const why = whyOf({
    isSender: message !== null && config.puffo_core.slug === message.senderSlug,
    decision: (message && post?.store?.decision(message.envelopeId)) ?? null,
    working: message !== null && post?.working.has(message.envelopeId) === true,
    asks: live.waiting > 0,
    life: live.life,
    connection: live.connection,
    held: message !== null && post?.held.has(message.senderSlug) === true,
  });
  return { agentId: agent.id, name: config.display_name || agent.id, ...why };
}

function isThere({ chat, operator }: WhyContext, slug: string, message: StoredMessage): boolean {
  if (slug === '') return false;
  if (message.senderSlug === slug || message.recipientSlug === slug) return true;
  if (message.kind === 'dm') return message.roomId === dmRoomId(slug) && operator.session() !== null;
  const room = chat.rooms.state().rooms[message.roomId];
  return room?.members.some((member) => member.slug === slug) ?? false;
}
