import { type RefObject, useState } from 'react';
import { flushSync } from 'react-dom';
import { ambiguousNames, type NamedMember, withSlugs } from '../../contract/mentions.ts';
import type { Room } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { byWords } from '../format/order.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Name } from '../parts/name.tsx';
import { PersonDot } from '../spaces/person-dot.tsx';
import { useRooms } from '../state/subscriptions.ts';
import { ScriptedMark } from './agent-chip.tsx';
import { type Picker, PickerMenu, usePicker } from './picker.tsx';

type Member = Room['members'][number];

export interface Mentions extends Picker<Member> {
  look(area: HTMLTextAreaElement): void;
  close(): void;
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
  const [typed, setTyped] = useState<{ from: number; word: string } | null>(null);
  const self = useRooms((view) => view?.self ?? null);
  const found = typed === null ? [] : matching(room.members, typed.word, self);
  const close = (): void => setTyped(null);
  const look = (place: HTMLTextAreaElement): void => {
    setTyped(room.kind === 'dm' ? null : mentionBefore(place.value, place.selectionStart));
    picker.restart();
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
  const picker = usePicker({ found, pick, close });
  return { ...picker, look, close };
}

/** The member's name, or the slug if the name would not mention exactly this member. */
export function handleOf({ slug, displayName }: NamedMember, members: readonly NamedMember[]): string {
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

/** Says that a typed name mentions no member because several members have it. */
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
  return (
    <PickerMenu
      picker={mentions}
      label={t('chat.mention')}
      keyOf={({ slug }) => slug}
      render={({ slug, displayName }) => (
        <>
          <span className="person-name">
            <PersonDot slug={slug} />
            <Name>{displayName}</Name>
            <ScriptedMark slug={slug} />
          </span>
          <span className="soft">
            <Name>{`@${slug}`}</Name>
          </span>
        </>
      )}
    />
  );
}
