import { dmSlug } from '../../contract/room-id.ts';
import { systemSlug } from '../../core/agents/introduction.ts';
import type { AcceptRow, AccountStore } from '../../core/puffo/account-store.ts';
import { isLocalEnvelopeId } from '../../core/puffo/ids.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { AgentBrakes } from './brakes.ts';

// Prompts by which the host itself asks an agent for a turn. They never leave this computer.

export interface OwnWordParts {
  readonly store: Pick<AccountStore, 'accept' | 'message'>;
  readonly brakes: Pick<AgentBrakes, 'observeOwn' | 'hold'>;
  readonly now: () => number;
}

/** Stores the prompt once; holds it if the agent has worked on its own for too long (T27). */
export function takeOwnWord(
  { store, brakes, now }: OwnWordParts,
  { message, decision }: AcceptRow,
): readonly StoredMessage[] {
  if (store.message(message.envelopeId)) return [];
  if (!brakes.observeOwn(message)) return store.accept([{ message, decision }]);
  brakes.hold(message, now());
  return store.accept([{ message, decision: { ...decision, react: false, reason: 'agent_brake' } }]);
}

/** A test for senders that are not people: the host, the agent `own` itself and known agents. */
export const agentTest =
  (own: string, known: (slug: string) => boolean) =>
  (slug: string): boolean =>
    slug === systemSlug || slug === own || known(slug);

/** Recipient of a reply: in direct messages the other person, even if the host wrote the message. */
export const readerOf = ({ kind, roomId }: StoredMessage): string | null =>
  kind === 'dm' ? dmSlug(roomId) : null;

/** The thread root on the wire, or `null` for a local message. */
export const wireRoot = (rootId: string): string | null => (isLocalEnvelopeId(rootId) ? null : rootId);
