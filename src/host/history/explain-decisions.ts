import type { AgentWhy } from '../../contract/history-methods.ts';
import type { RoomsView } from '../../contract/model.ts';
import { dmSlug } from '../../contract/room-id.ts';
import { whyOf } from '../../core/agents/explain-decision.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { configInForce, nameOfAgent } from '../agents/agent-view.ts';
import type { LiveAgent } from '../agents/live-agent.ts';

/** The agents that run, with their messages. */
export interface RunningAgents {
  post(id: string): {
    readonly store: AccountStore | null;
    /** Messages of open turns. */
    readonly working: ReadonlySet<string>;
    /** Senders whose messages wait because their key changed. */
    readonly held: ReadonlySet<string>;
  } | null;
  live(agent: LoadedAgent): Pick<LiveAgent, 'life' | 'connection' | 'waiting'>;
}

export interface WhyDeps {
  readonly agents: Pick<AgentStore, 'list'>;
  readonly fleet: RunningAgents;
  readonly chat: { readonly rooms: { state(): RoomsView } };
  /** The operator's account, or `null` without an operator. */
  self(): { readonly store: AccountStore } | null;
}

export function findMessage({ fleet, agents, self }: WhyDeps, id: string): StoredMessage | null {
  const own = self()?.store.message(id);
  if (own) return own;
  for (const agent of agents.list()) {
    const message = fleet.post(agent.id)?.store?.message(id);
    if (message) return message;
  }
  return null;
}

/** One entry per agent that has the message or is a member of its room. */
export function whyAll(deps: WhyDeps, message: StoredMessage): AgentWhy[] {
  const { agents, fleet } = deps;
  return agents
    .list()
    .filter((agent) => {
      const decision = fleet.post(agent.id)?.store?.decision(message.envelopeId);
      return decision || isThere(deps, configInForce(agent).puffo_core.slug, message);
    })
    .map((agent) => whyOne(fleet, agent, message));
}

/** The agent's decision on a message; without a message, why its messages cannot be read. */
export function whyOne(
  fleet: RunningAgents,
  agent: LoadedAgent,
  message: Pick<StoredMessage, 'envelopeId' | 'senderSlug'> | null,
): AgentWhy {
  const post = fleet.post(agent.id);
  const live = fleet.live(agent);
  const why = whyOf({
    isSender: message !== null && configInForce(agent).puffo_core.slug === message.senderSlug,
    decision: (message && post?.store?.decision(message.envelopeId)) ?? null,
    working: message !== null && post?.working.has(message.envelopeId) === true,
    asks: live.waiting > 0,
    life: live.life,
    connection: live.connection,
    held: message !== null && post?.held.has(message.senderSlug) === true,
  });
  return { agentId: agent.id, name: nameOfAgent(agent), ...why };
}

function isThere({ chat, self }: WhyDeps, slug: string, message: StoredMessage): boolean {
  if (slug === '') return false;
  if (message.senderSlug === slug || message.recipientSlug === slug) return true;
  if (message.kind === 'dm') return dmSlug(message.roomId) === slug && self() !== null;
  const room = chat.rooms.state().rooms[message.roomId];
  return room?.members.some((member) => member.slug === slug) ?? false;
}
