/** Commands for agents in the composer: the list that `/` opens, and the check before sending. */
import { type RefObject, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { useShallow } from 'zustand/react/shallow';
import {
  type ChatCommand,
  type CommandPlace,
  chatCommands,
  hasCommands,
  leadingSlugs,
  newCommand,
  readNew,
  type SlashProblem,
  slashProblem,
  withoutMentions,
} from '../../contract/chat-commands.ts';
import { withSlugs } from '../../contract/mentions.ts';
import type { Room } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { useAgents } from '../state/subscriptions.ts';
import { handleOf } from './mention-suggestions.tsx';
import { type Picker, PickerMenu, usePicker } from './picker.tsx';

export function useCommandPlace(
  { kind, members }: Pick<Room, 'kind' | 'members'>,
  threadRootId: string | null,
): CommandPlace {
  const slugs = useAgents(
    useShallow((all) => Object.values(all ?? {}).flatMap(({ slug }) => (slug === null ? [] : [slug]))),
  );
  return useMemo(
    () => ({ kind, members, ownAgents: new Set(slugs), inThread: threadRootId !== null }),
    [slugs, kind, members, threadRootId],
  );
}

/** The unfinished command directly before the caret, or `null`. */
export function slashBefore(text: string, caret: number, place: CommandPlace): string | null {
  if (!text.slice(0, caret).includes('/') || !hasCommands(place)) return null;
  const before = withoutMentions(withSlugs(text.slice(0, caret), place.members));
  return /^\/(\p{L}*)$/u.exec(before)?.[1]?.toLowerCase() ?? null;
}

type ListedCommand = ChatCommand | typeof newCommand;

/** Draft for the conversation that the text asks for; `null` if it asks for none. */
export function readNewConversation(text: string, place: CommandPlace): string | null {
  return place.kind === 'dm' && !place.inThread && hasCommands(place) ? readNew(text) : null;
}

export interface SlashList extends Picker<ListedCommand> {
  look(area: HTMLTextAreaElement): void;
  close(): void;
}

interface ListOf {
  readonly place: CommandPlace;
  readonly text: string;
  readonly area: RefObject<HTMLTextAreaElement | null>;
  setText(text: string): void;
  /** Opens the list of people, for a command that needs one of several agents. */
  choosePerson(area: HTMLTextAreaElement): void;
}

export function useSlashList({ place, text, area, setText, choosePerson }: ListOf): SlashList {
  const [typed, setTyped] = useState<{ readonly from: number; readonly word: string } | null>(null);
  const close = (): void => setTyped(null);
  const found =
    typed === null
      ? []
      : commandsIn(place).filter(
          ({ name, appliesTo }) =>
            name.startsWith(typed.word) && (appliesTo !== 'thread' || place.kind === 'dm' || place.inThread),
        );
  const look = (field: HTMLTextAreaElement): void => {
    const word = slashBefore(field.value, field.selectionStart, place);
    setTyped(word === null ? null : { from: field.selectionStart - word.length - 1, word });
    picker.restart();
  };
  const pick = (command: ListedCommand): void => {
    if (typed === null) return;
    const before = text.slice(0, typed.from);
    const after = text.slice(typed.from + 1 + typed.word.length).trimStart();
    const prefix = agentPrefix(command, withSlugs(text, place.members), place);
    const written = `${prefix}${before}/${command.name} `;
    flushSync(() => {
      setText(written + after);
      close();
    });
    const field = area.current;
    field?.focus();
    const needsPerson = prefix === '@ ';
    field?.setSelectionRange(needsPerson ? 1 : written.length, needsPerson ? 1 : written.length);
    if (needsPerson && field) choosePerson(field);
  };
  const picker = usePicker({ found, pick, close });
  const onKey: Picker<ListedCommand>['onKey'] = (event) => {
    const chosen = found[picker.at];
    // A command that is written in full is sent.
    if (event.key === 'Enter' && chosen?.name === typed?.word && chosen?.needsText === false) return false;
    return picker.onKey(event);
  };
  return { ...picker, onKey, look, close };
}

const commandsIn = ({ kind, inThread }: CommandPlace): readonly ListedCommand[] =>
  kind === 'dm' && !inThread ? [...chatCommands, newCommand] : chatCommands;

const ownIn = ({ members, ownAgents }: CommandPlace) => members.filter(({ slug }) => ownAgents.has(slug));

/** Mention that a command in a channel lacks: of the only own agent, or `@ ` if one has to be chosen. */
function agentPrefix({ appliesTo }: ListedCommand, written: string, place: CommandPlace): string {
  const isAddressed =
    place.kind === 'dm' || appliesTo === 'thread' || (appliesTo === 'agent-or-thread' && place.inThread);
  if (isAddressed || leadingSlugs(written).some((slug) => place.ownAgents.has(slug))) return '';
  const [only, second] = ownIn(place);
  return only === undefined || second !== undefined ? '@ ' : `@${handleOf(only, place.members)} `;
}

const descriptions = {
  task: 'chat.slashTask',
  tasks: 'chat.slashTasks',
  stop: 'chat.slashStop',
  continue: 'chat.slashContinue',
  undo: 'chat.slashUndo',
  new: 'conversations.slash',
} as const satisfies Record<ListedCommand['name'], string>;

export function SlashMenu({ list }: { list: SlashList }) {
  return (
    <PickerMenu
      picker={list}
      label={t('chat.slashCommands')}
      keyOf={({ name }) => name}
      render={({ name }) => (
        <>
          <span className="slash-name">
            <code>/{name}</code> {name === 'task' && <span className="soft">{t('chat.slashGoal')}</span>}
          </span>{' '}
          <span className="soft">{t(descriptions[name])}</span>
        </>
      )}
    />
  );
}

export interface SlashCheck {
  readonly problem: SlashProblem | null;
  /** Returns false, and shows why, if the text looks like a command that would not be carried out. */
  allows(text: string): boolean;
}

/** The problem shows until the text changes. */
export function useSlashCheck(place: CommandPlace, text: string): SlashCheck {
  const [stopped, setStopped] = useState<string | null>(null);
  return {
    problem: stopped !== null && stopped === text.trim() ? slashProblem(stopped, place) : null,
    allows(sent) {
      const fits = slashProblem(sent, place) === null;
      setStopped(fits ? null : sent);
      return fits;
    },
  };
}

interface NoteOf {
  readonly problem: SlashProblem | null;
  readonly place: CommandPlace;
  readonly text: string;
  onText(text: string): void;
  sendAsText(): void;
}

export function SlashNote({ problem, place, text, onText, sendAsText }: NoteOf) {
  if (problem === null) return null;
  const near = problem.type === 'unknown' ? problem.near : null;
  const [only, second] = problem.type === 'needs-agent' ? ownIn(place) : [];
  return (
    <div className="slash-note" role="alert">
      <span>{problemText(problem)}</span>
      {near !== null && (
        <button
          type="button"
          className="button is-small"
          onClick={() => onText(text.replace(/\/\p{L}[\p{L}\p{N}-]*/u, `/${near}`))}
        >
          {t('chat.slashUse', { command: near })}
        </button>
      )}
      {only !== undefined && second === undefined && (
        <button
          type="button"
          className="button is-small"
          onClick={() => onText(`@${handleOf(only, place.members)} ${withoutMentions(text)}`)}
        >
          {t('chat.slashMention', { name: visibleLine(only.displayName) })}
        </button>
      )}
      {problem.type !== 'needs-text' && (
        <button type="button" className="button is-small" onClick={sendAsText}>
          {t('chat.slashSendAsText')}
        </button>
      )}
    </div>
  );
}

export function problemText({ type, word }: SlashProblem): string {
  const command = visibleLine(word);
  switch (type) {
    case 'unknown':
      return t('chat.slashUnknown', { command });
    case 'needs-agent':
      return t('chat.slashNeedsAgent', { command });
    case 'needs-thread':
      return t('chat.slashNeedsThread', { command });
    case 'needs-text':
      return t('chat.slashNeedsText', { command });
    case 'takes-no-text':
      return t('chat.slashTakesNoText', { command });
  }
}
