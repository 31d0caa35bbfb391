import { type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { ambiguousNames, withSlugs } from '../../contract/mentions.ts';
import type { Room } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { Name } from '../parts/name.tsx';
import { PersonDot } from '../spaces/person-dot.tsx';
import { useRooms } from '../state/subscriptions.ts';
import { byWords } from '../words/order.ts';
import { visibleLine } from '../words/visible-text.ts';

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
  const match = /(^|\s)@([\p{L}\p{N}_-]*)$/u.exec(text.slice(0, caret));
  const word = match?.[2];
  return word === undefined ? null : { from: caret - word.length - 1, word: word.toLowerCase() };
}

export function useMentions(
  room: Pick<Room, 'kind' | 'members'>,
  text: string,
  setText: (text: string) => void,
  area: RefObject<HTMLTextAreaElement | null>,
): Mentions {
  const id = useId();
  const [typed, setTyped] = useState<{ from: number; word: string } | null>(null);
  const [at, setAt] = useState(0);
  const self = useRooms((view) => view?.self ?? null);
  const found = typed === null ? [] : matching(room.members, typed.word, self);
  const close = (): void => setTyped(null);
  const look = (place: HTMLTextAreaElement): void => {
    setTyped(room.kind === 'dm' ? null : mentionBefore(place.value, place.selectionStart));
    setAt(0);
  };
  const pick = (member: Member): void => {
    if (typed === null) return;
    const end = typed.from + 1 + typed.word.length;
    const handle = handleOf(member, room.members);
    const caret = typed.from + handle.length + 2;
    // Synchronous, because a caret set one frame later would disturb continued typing.
    flushSync(() => {
      setText(`${text.slice(0, typed.from)}@${handle} ${text.slice(end)}`);
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

/** The member's name, or the slug if the name would not mention exactly this member. */
function handleOf({ slug, displayName }: Member, members: readonly Member[]): string {
  const name = displayName.trim();
  return withSlugs(`@${name} `, members) === `@${slug} ` ? name : slug;
}

/** Names that start with the word come first; the operator, who seldom writes to itself, comes last. */
function matching(members: readonly Member[], word: string, self: string | null): readonly Member[] {
  const rank = ({ slug, displayName }: Member): number =>
    (slug === self ? 2 : 0) + (displayName.toLowerCase().startsWith(word) ? 0 : 1);
  return members
    .filter((one) => one.slug.toLowerCase().includes(word) || one.displayName.toLowerCase().includes(word))
    .sort((a, b) => rank(a) - rank(b) || byWords(a.displayName, b.displayName))
    .slice(0, mostFound);
}

/** Says that a typed name mentions nobody because several members have it. */
export function AmbiguousNames({ room, text }: { room: Pick<Room, 'kind' | 'members'>; text: string }) {
  const names = room.kind === 'dm' ? [] : ambiguousNames(text, room.members);
  if (names.length === 0) return null;
  return (
    <p className="composer-hint is-amber" role="status">
      {t('chat.ambiguousName', { name: visibleLine(names[0] ?? '') })}
    </p>
  );
}

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
