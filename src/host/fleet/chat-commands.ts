import { readSlash, withoutMentions } from '../../contract/chat-commands.ts';
import { type NamedMember, withSlugs } from '../../contract/mentions.ts';
import { messageText } from '../../core/agents/message-text.ts';
import { isSaidTo, startsWithMention, taskCommand } from '../../core/agents/task-command.ts';
import { threadKeyOf } from '../../core/agents/thread-key.ts';
import { threadRootOf } from '../../core/agents/thread-root.ts';
import { isUndoCommand } from '../../core/agents/undo-command.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { AgentPeople } from './agent-people.ts';
import type { AgentBrakes } from './brakes.ts';
import { keepTaskCommand, taskReason } from './pending-task-commands.ts';

export interface ChatCommandsDeps {
  readonly slug: string;
  readonly store: AccountStore;
  readonly brakes: Pick<AgentBrakes, 'stands'>;
  readonly people: Pick<AgentPeople, 'isOperator' | 'isAgent'>;
  /** Takes the operator's answers to questions; the model does not see them. */
  intercept(message: StoredMessage): { readonly reason: string } | null;
  working(threadKey: string): boolean;
}

/** Only an encrypted message proves its sender. */
const isOperator = ({ people }: Pick<ChatCommandsDeps, 'people'>, message: StoredMessage): boolean =>
  message.encrypted && people.isOperator(message.senderSlug);

/** A command of the operator to the host; stored as the message's reason. */
type OperatorWord = 'stop' | 'continue';

/** With or without a slash. Leading mentions only address the command. */
function operatorWord(text: string): OperatorWord | null {
  const said = withoutMentions(text)
    .trim()
    .replace(/^\//, '')
    .replace(/[.!]+$/, '')
    .toLowerCase();
  return said === 'stop' || said === 'continue' ? said : null;
}

function wordOf(deps: ChatCommandsDeps, message: StoredMessage, text: string): OperatorWord | null {
  const { store, brakes } = deps;
  const word = operatorWord(text);
  if (word === null) return null;
  // As a slash command it is never meant for the model.
  if (readSlash(text) !== null) return word;
  const rootId = threadRootOf(message, (id) => store.message(id));
  if (word === 'stop') return deps.working(threadKeyOf(message.roomId, rootId)) ? word : null;
  return brakes.stands({ roomId: message.roomId, rootId }) ? word : null;
}

/** Turns and messages looked at for the last one in the thread of a message. */
const latest = 100;

/**
 * A reply in a thread needs no mention if the agent worked there and no other agent wrote after it, so that one
 * agent at most acts.
 */
function workedLastIn(
  { slug, store, people }: ChatCommandsDeps,
  { roomId, threadRootId, sentAt }: StoredMessage,
): boolean {
  if (threadRootId === null) return false;
  if (!store.turns.list({ roomId, limit: latest }).some(({ rootId }) => rootId === threadRootId))
    return false;
  const last = store
    .thread(threadRootId, latest)
    .findLast((one) => one.sentAt <= sentAt && (one.senderSlug === slug || people.isAgent(one.senderSlug)));
  return last === undefined || last.senderSlug === slug;
}

/** In a channel, a command is for the agents mentioned at its start. */
function isMeant(deps: ChatCommandsDeps, message: StoredMessage, text: string): boolean {
  if (message.kind === 'dm' || isSaidTo(deps.slug, text)) return true;
  return isUndoCommand(text) && !startsWithMention(text) && workedLastIn(deps, message);
}

/** Saved until it is carried out; the message is stored and acknowledged only afterwards. */
function taskOf(deps: ChatCommandsDeps, message: StoredMessage, text: string): typeof taskReason | null {
  if (taskCommand(text) === null && !isUndoCommand(text)) return null;
  if (!isMeant(deps, message, text)) return null;
  keepTaskCommand(deps.store, message.envelopeId);
  return taskReason;
}

/** Reads the operator's commands: returns the reason to store, or `null` for an ordinary message. */
export const createChatCommands =
  (deps: ChatCommandsDeps) =>
  (message: StoredMessage, members: readonly NamedMember[]): string | null => {
    const taken = deps.intercept(message);
    if (taken) return taken.reason;
    if (!isOperator(deps, message)) return null;
    const text = withSlugs(messageText(message).text, members);
    return wordOf(deps, message, text) ?? taskOf(deps, message, text);
  };
