import { type NamedMember, withSlugs } from '../../contract/mentions.ts';
import { messageText } from '../../core/agents/message-text.ts';
import { isSaidTo, taskCommand } from '../../core/agents/task-command.ts';
import { threadKeyOf } from '../../core/agents/thread-key.ts';
import { threadRootOf } from '../../core/agents/thread-root.ts';
import { isUndoCommand } from '../../core/agents/undo-command.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { AgentBrakes } from './brakes.ts';
import { keepTaskWord, taskReason } from './task-words.ts';

export interface ChatCommandsDeps {
  readonly slug: string;
  readonly store: AccountStore;
  readonly brakes: Pick<AgentBrakes, 'stands'>;
  isOperator(message: StoredMessage): boolean;
  /** Takes the operator's answers to questions; the model does not see them. */
  intercept(message: StoredMessage): { readonly reason: string } | null;
  working(threadKey: string): boolean;
}

/** A command of the operator to the host; stored as the message's reason. */
type OperatorWord = 'stop' | 'continue';

/** Leading mentions only address the command. */
function operatorWord(message: StoredMessage, members: readonly NamedMember[]): OperatorWord | null {
  const said = withSlugs(messageText(message).text, members)
    .replace(/^(\s|@[A-Za-z0-9][A-Za-z0-9_-]*)+/, '')
    .trim()
    .replace(/[.!]+$/, '')
    .toLowerCase();
  return said === 'stop' || said === 'continue' ? said : null;
}

function wordOf(
  deps: ChatCommandsDeps,
  message: StoredMessage,
  members: readonly NamedMember[],
): OperatorWord | null {
  const { store, brakes } = deps;
  const word = operatorWord(message, members);
  if (word === null || !deps.isOperator(message)) return null;
  const rootId = threadRootOf(message, (id) => store.message(id));
  if (word === 'stop') return deps.working(threadKeyOf(message.roomId, rootId)) ? word : null;
  return brakes.stands({ roomId: message.roomId, rootId }) ? word : null;
}

/** Turns looked at for one in the thread of a message. */
const latestTurns = 100;

/** A reply in a thread in which the agent worked needs no mention. */
function hasTurnIn(store: AccountStore, { roomId, threadRootId }: StoredMessage): boolean {
  if (threadRootId === null) return false;
  return store.turns.list({ roomId, limit: latestTurns }).some(({ rootId }) => rootId === threadRootId);
}

/** Saved until it is carried out; the message is stored and acknowledged only afterwards. */
function taskOf(
  { slug, store, isOperator }: ChatCommandsDeps,
  message: StoredMessage,
  members: readonly NamedMember[],
): typeof taskReason | null {
  const text = withSlugs(messageText(message).text, members);
  const undo = isUndoCommand(text);
  if ((taskCommand(text) === null && !undo) || !isOperator(message)) return null;
  if (message.kind !== 'dm' && !isSaidTo(slug, text) && !(undo && hasTurnIn(store, message))) return null;
  keepTaskWord(store, message.envelopeId);
  return taskReason;
}

/** Reads the operator's commands: returns the reason to store, or `null` for an ordinary message. */
export const createChatCommands =
  (deps: ChatCommandsDeps) =>
  (message: StoredMessage, members: readonly NamedMember[]): string | null =>
    deps.intercept(message)?.reason ?? wordOf(deps, message, members) ?? taskOf(deps, message, members);
