/** Commands that the operator writes to own agents: `/task GOAL`, in a channel behind the agent's name. */
import { didYouMean } from './did-you-mean.ts';
import { type NamedMember, withSlugs } from './mentions.ts';

export interface ChatCommand {
  readonly name: 'task' | 'tasks' | 'stop' | 'continue' | 'undo';
  readonly needsText: boolean;
  /** Addressee in a channel: the agents mentioned before it, or the agents that work in its thread. */
  readonly appliesTo: 'agent' | 'thread' | 'agent-or-thread';
}

export const chatCommands: readonly ChatCommand[] = [
  { name: 'task', needsText: true, appliesTo: 'agent' },
  { name: 'tasks', needsText: false, appliesTo: 'agent' },
  { name: 'stop', needsText: false, appliesTo: 'thread' },
  { name: 'continue', needsText: false, appliesTo: 'thread' },
  { name: 'undo', needsText: false, appliesTo: 'agent-or-thread' },
];

const leadingMentions = /^(?:[\s,:]|@[A-Za-z0-9][A-Za-z0-9_-]*)+/;

/** The text without the mentions at its start, which only name the agents. */
export const withoutMentions = (text: string): string => text.replace(leadingMentions, '');

/** Names between `@` and the command, as written at the start of the text. */
export const leadingSlugs = (text: string): readonly string[] =>
  (leadingMentions.exec(text)?.[0] ?? '')
    .split(/[\s,:]+/)
    .filter((word) => word.startsWith('@'))
    .map((word) => word.slice(1));

export interface Slash {
  /** Lower case, without the slash. */
  readonly word: string;
  readonly rest: string;
}

/** A word of letters behind a slash at the start. Paths (`/etc/hosts`), dates and `\/task` are none. */
export function readSlash(text: string): Slash | null {
  const [, word, rest = ''] =
    /^\/(\p{L}[\p{L}\p{N}-]*)(?:\s+([\s\S]*))?$/u.exec(withoutMentions(text).trim()) ?? [];
  return word === undefined ? null : { word: word.toLowerCase(), rest };
}

/** Starts another conversation; window and terminal carry it out themselves, no agent does. */
export const newCommand = { name: 'new', needsText: false, appliesTo: 'agent' } as const;

/** First message of the conversation that the text asks for, or empty; `null` if it asks for none. */
export function readNew(text: string): string | null {
  const said = readSlash(text);
  return said?.word === newCommand.name ? said.rest : null;
}

/** Where a message goes, for checking the commands in it. */
export interface CommandPlace {
  readonly kind: 'channel' | 'dm';
  readonly members: readonly NamedMember[];
  /** Slugs of the operator's own agents; those of others obey no command. */
  readonly ownAgents: ReadonlySet<string>;
  readonly inThread: boolean;
}

export type SlashProblem =
  | { readonly type: 'unknown'; readonly word: string; readonly near: ChatCommand['name'] | null }
  | { readonly type: 'needs-agent' | 'needs-thread' | 'needs-text' | 'takes-no-text'; readonly word: string };

/** True if an own agent in the room can obey a command. */
export const hasCommands = ({ members, ownAgents }: CommandPlace): boolean =>
  members.some(({ slug }) => ownAgents.has(slug));

/** Why a text that looks like a command would not be carried out; `null` for commands and ordinary text. */
export function slashProblem(text: string, place: CommandPlace): SlashProblem | null {
  const written = withSlugs(text, place.members);
  const said = readSlash(written);
  if (said === null || !hasCommands(place)) return null;
  const { word, rest } = said;
  const command = chatCommands.find(({ name }) => name === word);
  if (command === undefined) {
    const near = didYouMean(
      word,
      chatCommands.map(({ name }) => name),
    );
    return { type: 'unknown', word, near: chatCommands.find(({ name }) => name === near)?.name ?? null };
  }
  const named = leadingSlugs(written).some((slug) => place.ownAgents.has(slug));
  const missing = missingAddressee(command, named, place);
  if (missing !== null) return { type: missing, word };
  if (command.needsText && rest === '') return { type: 'needs-text', word };
  return !command.needsText && rest !== '' ? { type: 'takes-no-text', word } : null;
}

function missingAddressee({ appliesTo }: ChatCommand, named: boolean, { kind, inThread }: CommandPlace) {
  if (kind === 'dm') return null;
  if (appliesTo === 'thread') return inThread ? null : 'needs-thread';
  return named || (appliesTo === 'agent-or-thread' && inThread) ? null : 'needs-agent';
}
