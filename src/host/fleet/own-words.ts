import { dmSlug } from '../../contract/room-id.ts';
import { systemSlug } from '../../core/agents/introduction.ts';
import type { AcceptRow, AccountStore, StoredMessage } from '../../core/ports.ts';
import { isLocalEnvelopeId } from '../../core/puffo/ids.ts';
import type { AgentBrakes } from './brakes.ts';

// Words by which the host itself asks an agent for a turn. They never leave this computer.

export interface OwnWordParts {
  readonly store: Pick<AccountStore, 'accept' | 'message'>;
  readonly brakes: Pick<AgentBrakes, 'observeOwn' | 'hold'>;
  readonly now: () => number;
}

/** Takes it in once, and holds it back where the agent has gone on by itself for too long (T27). */
export function takeOwnWord(
  { store, brakes, now }: OwnWordParts,
  { message, decision }: AcceptRow,
): readonly StoredMessage[] {
  if (store.message(message.envelopeId)) return [];
  if (!brakes.observeOwn(message)) return store.accept([{ message, decision }]);
  brakes.hold(message, now());
  return store.accept([{ message, decision: { ...decision, react: false, reason: 'agent_brake' } }]);
}

/** Whose words are no person's: those of the host, of the agent `own` itself, and of whoever is known as an agent. */
export const agentTest =
  (own: string, known: (slug: string) => boolean) =>
  (slug: string): boolean =>
    slug === systemSlug || slug === own || known(slug);

/** Who reads what is said below a message; in a direct message that is the other one, also where the host itself wrote it. */
export const readerOf = ({ kind, roomId }: StoredMessage): string | null =>
  kind === 'dm' ? dmSlug(roomId) : null;

/** As it goes over the wire; null: nothing there is to be answered. */
export const wireRoot = (rootId: string): string | null => (isLocalEnvelopeId(rootId) ? null : rootId);
