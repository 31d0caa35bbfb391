import type { AgentMark } from '../../contract/model.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { HostText } from '../../language/host-message.ts';

/** An own agent, as far as the chat needs it. */
export interface ChatAgent {
  readonly id: string;
  readonly slug: string;
  readonly store: AccountStore | null;
  readonly working: ReadonlySet<string>;
}

const cacheSize = 5000;

function fresh(agent: ChatAgent, message: StoredMessage): { mark: AgentMark | null; final: boolean } {
  const mark = (state: AgentMark['state'], reason: HostText): AgentMark => ({
    agentId: agent.id,
    slug: agent.slug,
    state,
    reason,
  });
  const decision = despiteStore(() => agent.store?.decision(message.envelopeId) ?? null, null);
  if (!decision) return { mark: null, final: false };
  if (decision.reason === 'own') return { mark: null, final: true };
  switch (decision.status) {
    case null:
      return { mark: mark('silent', decision.reason), final: true };
    case 'open':
      return { mark: mark('queued', decision.reason), final: false };
    case 'done':
      return { mark: mark('done', decision.reason), final: true };
    case 'silent':
      return { mark: mark('silent', decision.detail || decision.reason), final: true };
    case 'failed':
      return { mark: mark('failed', decision.detail || decision.reason), final: true };
  }
}

/** Marks of own agents under a message. Final ones are cached, so drawing a room repeats no lookup. */
export interface MessageMarks {
  of(message: StoredMessage, agents: readonly ChatAgent[]): readonly AgentMark[];
  forget(agentId: string): void;
}

export function createMarks(): MessageMarks {
  const settled = new Map<string, AgentMark | null>();

  const remember = (key: string, mark: AgentMark | null): void => {
    if (settled.size >= cacheSize) {
      const oldest = settled.keys().next();
      if (!oldest.done) settled.delete(oldest.value);
    }
    settled.set(key, mark);
  };

  const markOf = (agent: ChatAgent, message: StoredMessage): AgentMark | null => {
    if (agent.slug === message.senderSlug) return null;
    const key = `${agent.id}\n${message.envelopeId}`;
    if (agent.working.has(message.envelopeId)) {
      // It answers again, so its earlier mark is outdated.
      settled.delete(key);
      return { agentId: agent.id, slug: agent.slug, state: 'working', reason: '' };
    }
    const known = settled.get(key);
    if (known !== undefined) return known;
    const { mark, final } = fresh(agent, message);
    if (final) remember(key, mark);
    return mark;
  };

  return {
    of: (message, agents) => agents.map((agent) => markOf(agent, message)).filter((mark) => mark !== null),
    forget(agentId) {
      for (const key of settled.keys()) if (key.startsWith(`${agentId}\n`)) settled.delete(key);
    },
  };
}
