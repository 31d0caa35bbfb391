import type { NamedMember } from '../../contract/mentions.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { threadRootOf } from '../../core/agents/thread-root.ts';
import { decideTrigger } from '../../core/agents/triggers.ts';
import { isUndoCommand } from '../../core/agents/undo-command.ts';
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
  /** Root of the message's thread; `null` if it is a root itself. */
  readonly root: StoredMessage | null;
}

type DecideTurn = (message: StoredMessage, around: Surroundings) => TriggerDecision;

const hourMs = 3_600_000;

<<<<<<< HEAD
/** Decides whether a message that is no command needs a turn, and records what is held back. */
export const createTurnDecision =
  (deps: TurnDecisionDeps): DecideTurn =>
  (message, around) => {
    const { brakes, contacts } = deps;
=======
/** Leading mentions only address the command. */
function operatorWord(message: StoredMessage): OperatorWord | null {
  const said = messageText(message)
    .text.replace(/^(\s|@[A-Za-z0-9][A-Za-z0-9_-]*)+/, '')
    .trim()
    .replace(/[.!]+$/, '')
    .toLowerCase();
  return said === 'stop' || said === 'continue' ? said : null;
}

/** Turns looked at for one in the thread of a message. */
const latestTurns = 100;

/** A reply in a thread in which the agent worked needs no mention. */
function hasTurnIn(store: AccountStore, message: StoredMessage): boolean {
  const { roomId, threadRootId } = message;
  if (threadRootId === null) return false;
  return store.turns.list({ roomId, limit: latestTurns }).some(({ rootId }) => rootId === threadRootId);
}

/** Saved until it is carried out; the message is stored and acknowledged only afterwards. */
function taskOf({ slug, store, isOperator }: DecideDeps, message: StoredMessage): typeof taskReason | null {
  const { text } = messageText(message);
  const undo = isUndoCommand(text);
  if ((taskCommand(text) === null && !undo) || !isOperator(message)) return null;
  if (message.kind !== 'dm' && !isSaidTo(slug, text) && !(undo && hasTurnIn(store, message))) return null;
  keepTaskWord(store, message.envelopeId);
  return taskReason;
}

/** Decides on each new message, in order, before it is stored: whether it needs a turn, and why. */
export function createDecide(deps: DecideDeps): (message: StoredMessage) => TriggerDecision {
  const { store, brakes, contacts } = deps;

  const wordOf = (message: StoredMessage): OperatorWord | null => {
    const word = operatorWord(message);
    if (word === null || !deps.isOperator(message)) return null;
    const rootId = threadRootOf(message, (id) => store.message(id));
    if (word === 'stop') return deps.working(threadKeyOf(message.roomId, rootId)) ? word : null;
    return brakes.stands({ roomId: message.roomId, rootId }) ? word : null;
  };

  return (message) => {
    const taken = deps.intercept(message)?.reason ?? wordOf(message) ?? taskOf(deps, message);
    const braked = brakes.observe(message);
    if (taken !== null) return { react: false, reason: taken, priority: 5 };
>>>>>>> b19b6fb6 (feat(undo): list, show and revert changes; obey "undo that")
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

function rootOf(store: Pick<AccountStore, 'message'>, message: StoredMessage): StoredMessage | null {
  const rootId = threadRootOf(message, (id) => store.message(id));
  return rootId === message.envelopeId ? null : store.message(rootId);
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
