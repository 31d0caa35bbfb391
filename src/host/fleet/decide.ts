import { type NamedMember, withSlugs } from '../../contract/mentions.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { messageText } from '../../core/agents/message-text.ts';
import { isSaidTo, taskCommand } from '../../core/agents/task-command.ts';
import { threadKeyOf } from '../../core/agents/thread-key.ts';
import { threadRootOf } from '../../core/agents/thread-root.ts';
import { decideTrigger } from '../../core/agents/triggers.ts';
import type { AccountStore, TriggerDecision } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { AgentBrakes } from './brakes.ts';
import type { FirstContacts } from './first-contacts.ts';
import type { SenderLimits } from './sender-limits.ts';
import { keepTaskWord, taskReason } from './task-words.ts';

export interface DecideDeps {
  readonly slug: string;
  readonly store: AccountStore;
  readonly brakes: AgentBrakes;
  config(): AgentConfig;
  /** ms since the epoch. */
  now(): number;
  readonly contacts: Pick<FirstContacts, 'contactOf' | 'hold'>;
  readonly senders: Pick<SenderLimits, 'apply'>;
  isAgent(slug: string): boolean;
  /** Known members of a channel with their names. */
  membersOf(channelId: string): readonly NamedMember[];
  isOperator(message: StoredMessage): boolean;
  /** Takes the operator's answers to questions; the model does not see them. */
  intercept(message: StoredMessage): { readonly reason: string } | null;
  working(threadKey: string): boolean;
}

/** A command of the operator to the host; stored as the message's reason. */
export type OperatorWord = 'stop' | 'continue';

const hourMs = 3_600_000;

/** Leading mentions only address the command. */
function operatorWord(message: StoredMessage, members: readonly NamedMember[]): OperatorWord | null {
  const said = withSlugs(messageText(message).text, members)
    .replace(/^(\s|@[A-Za-z0-9][A-Za-z0-9_-]*)+/, '')
    .trim()
    .replace(/[.!]+$/, '')
    .toLowerCase();
  return said === 'stop' || said === 'continue' ? said : null;
}

/** Saved until it is carried out; the message is stored and acknowledged only afterwards. */
function taskOf({ slug, store, isOperator }: DecideDeps, message: StoredMessage): typeof taskReason | null {
  const { text } = messageText(message);
  if (taskCommand(text) === null || !isOperator(message)) return null;
  if (message.kind !== 'dm' && !isSaidTo(slug, text)) return null;
  keepTaskWord(store, message.envelopeId);
  return taskReason;
}

function rootOf(store: AccountStore, message: StoredMessage): StoredMessage | null {
  const rootId = threadRootOf(message, (id) => store.message(id));
  return rootId === message.envelopeId ? null : store.message(rootId);
}

/** Decides on each new message, in order, before it is stored: whether it needs a turn, and why. */
export function createDecide(deps: DecideDeps): (message: StoredMessage) => TriggerDecision {
  const { store, brakes, contacts } = deps;

  const wordOf = (message: StoredMessage, members: readonly NamedMember[]): OperatorWord | null => {
    const word = operatorWord(message, members);
    if (word === null || !deps.isOperator(message)) return null;
    const rootId = threadRootOf(message, (id) => store.message(id));
    if (word === 'stop') return deps.working(threadKeyOf(message.roomId, rootId)) ? word : null;
    return brakes.stands({ roomId: message.roomId, rootId }) ? word : null;
  };

  return (message) => {
    const members = message.channelId === null ? [] : deps.membersOf(message.channelId);
    const taken = deps.intercept(message)?.reason ?? wordOf(message, members) ?? taskOf(deps, message);
    const braked = brakes.observe(message);
    if (taken !== null) return { react: false, reason: taken, priority: 5 };
    const { triggers, state, answer_within_hours: hours } = deps.config();
    const decision = decideTrigger({
      triggers,
      agentSlug: deps.slug,
      message,
      members,
      root: rootOf(store, message),
      paused: state === 'paused',
      braked,
      contact: contacts.contactOf(message),
      senderIsAgent: deps.isAgent(message.senderSlug),
      tooOld: hours > 0 && deps.now() - message.sentAt > hours * hourMs,
    });
    if (decision.reason === 'first_contact') contacts.hold(message, deps.now());
    if (decision.reason === 'agent_brake') brakes.hold(message, deps.now());
    return deps.senders.apply(message, decision);
  };
}
