import type { NamedMember } from '../../contract/mentions.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { threadRootOf } from '../../core/agents/thread-root.ts';
import { decideTrigger } from '../../core/agents/triggers.ts';
import type { AccountStore, TriggerDecision } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { AgentBrakes } from './brakes.ts';
import type { FirstContacts } from './first-contacts.ts';
import type { SenderLimits } from './sender-limits.ts';

export interface TurnDecisionDeps {
  readonly slug: string;
  readonly brakes: Pick<AgentBrakes, 'hold'>;
  readonly contacts: Pick<FirstContacts, 'contactOf' | 'hold'>;
  config(): AgentConfig;
  /** ms since the epoch. */
  now(): number;
  isAgent(slug: string): boolean;
}

/** Facts about a message that its conversation gives. */
interface Surroundings {
  readonly braked: boolean;
  readonly members: readonly NamedMember[];
  /** Root of the message's thread; `null` if it is a root itself, `unknown` if it is not stored. */
  readonly root: StoredMessage | 'unknown' | null;
}

type DecideTurn = (message: StoredMessage, around: Surroundings) => TriggerDecision;

const hourMs = 3_600_000;

/** Decides whether a message that is no command needs a turn, and records what is held back. */
export const createTurnDecision =
  (deps: TurnDecisionDeps): DecideTurn =>
  (message, around) => {
    const { brakes, contacts } = deps;
    const { triggers, state, answer_within_hours: hours } = deps.config();
    const decision = decideTrigger({
      triggers,
      agentSlug: deps.slug,
      message,
      paused: state === 'paused',
      ...around,
      contact: contacts.contactOf(message),
      senderIsAgent: deps.isAgent(message.senderSlug),
      tooOld: hours > 0 && deps.now() - message.sentAt > hours * hourMs,
    });
    if (decision.reason === 'first_contact') contacts.hold(message, deps.now());
    if (decision.reason === 'agent_brake') brakes.hold(message, deps.now());
    return decision;
  };

export interface DecideDeps {
  readonly brakes: Pick<AgentBrakes, 'observe'>;
  /** Reason of a message that is a command to the host, or `null`. */
  readonly commandOf: (message: StoredMessage, members: readonly NamedMember[]) => string | null;
  readonly decideTurn: DecideTurn;
  readonly senders: Pick<SenderLimits, 'apply'>;
  readonly store: Pick<AccountStore, 'message'>;
  /** Known members of a channel with their names. */
  membersOf(channelId: string): readonly NamedMember[];
}

function rootOf(store: Pick<AccountStore, 'message'>, message: StoredMessage): Surroundings['root'] {
  const rootId = threadRootOf(message, (id) => store.message(id));
  return rootId === message.envelopeId ? null : (store.message(rootId) ?? 'unknown');
}

/** Decides on each new message, in order, before it is stored: whether it needs a turn, and why. */
export const createDecide =
  ({ brakes, commandOf, decideTurn, senders, store, membersOf }: DecideDeps) =>
  (message: StoredMessage): TriggerDecision => {
    const members = message.channelId === null ? [] : membersOf(message.channelId);
    const command = commandOf(message, members);
    const braked = brakes.observe(message);
    if (command !== null) return { react: false, reason: command, priority: 5 };
    return senders.apply(message, decideTurn(message, { braked, members, root: rootOf(store, message) }));
  };
