import type { CryptoEngine } from '../../core/ports.ts';
import type { VerifiedIdentity } from '../../core/puffo/registry.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { OpenParts, Operator } from '../identity/operator.ts';
import type { Layout } from '../layout.ts';

// Identifies an agent's operator by key. Only the identity that the agent's inbox verified the message
// against counts, never a claim in the message (T8).

export interface OperatorTrustDeps {
  readonly agents: Pick<AgentStore, 'get'>;
  readonly layout: Pick<Layout, 'agentKeys'>;
  readonly operator: Pick<Operator, 'session'>;
}

export interface AgentOperator {
  readonly slug: string;
  /** The identity's public root key, base64url. */
  readonly root: string;
}

export interface OperatorTrust {
  /** Provides the identities once the vault is open. */
  open(parts: OpenParts): void;
  /** The host's own operator, else the one named in the certificate of the agent's identity. */
  operatorOf(agentId: string): AgentOperator | null;
  isOperator(agentId: string, message: StoredMessage): boolean;
  /** Whether a person, not an agent, verifiably wrote this message. */
  isPerson(agentId: string, message: StoredMessage): boolean;
  /** `null` while the vault is closed. */
  crypto(): CryptoEngine | null;
}

export function createOperatorTrust({ agents, layout, operator }: OperatorTrustDeps): OperatorTrust {
  let parts: OpenParts | null = null;

  const operatorOf = (agentId: string): AgentOperator | null => {
    const session = operator.session();
    if (session) return { slug: session.self.slug, root: session.self.account.rootPublicKey };
    const agent = agents.get(agentId);
    const core = agent && configInForce(agent).puffo_core;
    if (!core || core.operator_slug === '' || core.slug === '') return null;
    const identity = parts?.keys.loadIdentity(layout.agentKeys(agentId), core.slug);
    const root = identity?.ok ? identity.value.identityCert?.declared_operator_public_key : null;
    return root ? { slug: core.operator_slug, root } : null;
  };

  /** The identity that the sender's messages are verified against on the agent's server. */
  const verified = (agentId: string, slug: string): VerifiedIdentity | null => {
    const agent = agents.get(agentId);
    if (!agent || !parts) return null;
    const url = parts.currentUrl(configInForce(agent).puffo_core.server_url);
    const directory = parts.servers.directory(url);
    return directory.ok ? directory.value.identities.remembered(slug) : null;
  };

  const isOperator = (agentId: string, message: StoredMessage): boolean => {
    const known = operatorOf(agentId);
    if (!known || !message.encrypted || message.senderSlug !== known.slug) return false;
    return verified(agentId, message.senderSlug)?.rootPublicKey === known.root;
  };

  return {
    open(opened) {
      parts = opened;
    },
    operatorOf,
    isOperator,
    isPerson: (agentId, message) =>
      message.encrypted && verified(agentId, message.senderSlug)?.identityType === 'human',
    crypto: () => parts?.crypto ?? null,
  };
}
