import { type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Room } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { Name } from '../parts/name.tsx';
import { PersonDot } from '../spaces/person-dot.tsx';

type Member = Room['members'][number];

export interface Mentions {
  readonly id: string;
  readonly open: boolean;
  readonly at: number;
  readonly found: readonly Member[];
  look(area: HTMLTextAreaElement): void;
  pick(member: Member): void;
  close(): void;
  /** Returns true if the menu handled the key. */
  onKey(event: KeyboardEvent): boolean;
}

const mostFound = 6;

/** Finds an unfinished mention such as "@xyz" directly before the caret. */
export function mentionBefore(text: string, caret: number): { from: number; word: string } | null {
  const match = /(^|\s)@([\w-]*)$/u.exec(text.slice(0, caret));
  const word = match?.[2];
  return word === undefined ? null : { from: caret - word.length - 1, word: word.toLowerCase() };
}

export function useMentions(
  room: Room,
  text: string,
  setText: (text: string) => void,
  area: RefObject<HTMLTextAreaElement | null>,
): Mentions {
  const id = useId();
  const [typed, setTyped] = useState<{ from: number; word: string } | null>(null);
  const [at, setAt] = useState(0);
  const found = typed === null ? [] : matching(room.members, typed.word);
  const close = (): void => setTyped(null);
  const look = (place: HTMLTextAreaElement): void => {
    setTyped(room.kind === 'dm' ? null : mentionBefore(place.value, place.selectionStart));
    setAt(0);
  };
  const pick = (member: Member): void => {
    if (typed === null) return;
    const end = typed.from + 1 + typed.word.length;
    const caret = typed.from + member.slug.length + 2;
    // Synchronous, because a caret set one frame later would disturb continued typing.
    flushSync(() => {
      setText(`${text.slice(0, typed.from)}@${member.slug} ${text.slice(end)}`);
      close();
    });
    area.current?.focus();
    area.current?.setSelectionRange(caret, caret);
  };
  const onKey = (event: KeyboardEvent): boolean => {
    const chosen = found[at];
    if (typed === null || chosen === undefined) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((at + step + found.length) % found.length);
    else if (event.key === 'Enter' || event.key === 'Tab') pick(chosen);
    else if (event.key === 'Escape') close();
    else return false;
    event.preventDefault();
    return true;
  };
  return { id, open: found.length > 0, at, found, look, pick, close, onKey };
}

const matching = (members: readonly Member[], word: string): readonly Member[] =>
  members
    .filter((one) => one.slug.toLowerCase().includes(word) || one.displayName.toLowerCase().includes(word))
    .slice(0, mostFound);

export function MentionMenu({ mentions }: { mentions: Mentions }) {
  if (!mentions.open) return null;
  return (
    <div
      className="mention-menu"
      role="listbox"
      id={mentions.id}
      aria-label={t('chat.mention')}
      tabIndex={-1}
    >
      {mentions.found.map((member, index) => (
        <div
          key={member.slug}
          id={`${mentions.id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === mentions.at}
          className="mention"
          // `pointerdown` comes before the text field's blur, which would close this menu.
          onPointerDown={(event) => {
            event.preventDefault();
            mentions.pick(member);
          }}
        >
          <span className="person-name">
            <PersonDot slug={member.slug} />
            <Name>{member.displayName}</Name>
          </span>
          <span className="soft">
            <Name>{`@${member.slug}`}</Name>
          </span>
        </div>
      ))}
    </div>
  );
}
