import { useState } from 'react';
import type { PersonView } from '../../contract/people-methods.ts';
import { dmRoomId } from '../../contract/room-id.ts';
import { t } from '../../language/texts.ts';
import { useScriptedSlugs } from '../chat/agent-chip.tsx';
import { visibleLine } from '../format/visible-text.ts';
import { Chooser } from '../palette/chooser.tsx';
import type { PaletteCommand } from '../palette/commands.ts';
import { ErrorNote } from '../parts/notes.tsx';
import { go } from '../state/route.ts';
import { usePeople } from './use-people.ts';

/** Anyone can choose another person's name, so each entry shows the handle, too. */
const entryOf = ({ slug, displayName, agent }: PersonView, scripted: boolean): PaletteCommand => ({
  id: `person ${slug}`,
  title: visibleLine(displayName),
  detail: visibleLine(agent ? `@${slug} · ${t(scripted ? 'chat.scripted' : 'people.isAgent')}` : `@${slug}`),
  icon: agent ? 'agents' : 'people',
  run: () => go({ view: 'chat', room: dmRoomId(slug) }),
});

/** Opens the direct message with a person or agent, chosen by name or handle. */
export function NewMessage({ onClose }: { onClose(): void }) {
  const [typed, setTyped] = useState('');
  const scripts = useScriptedSlugs();
  const { people, text, error } = usePeople(typed.trim());
  // Enter must never choose a person who was found for an earlier text.
  const found = text === typed.trim() ? (people ?? []) : [];
  const none = people?.length === 0 && text === typed.trim();
  const isHandle = /^@?\S+-[0-9a-f]{4}$/.test(text);
  return (
    <Chooser
      title={t('people.newMessage')}
      label={t('people.newMessageTo')}
      typed={typed}
      groups={
        found.length === 0
          ? []
          : [{ title: t('people.known'), entries: found.map((one) => entryOf(one, scripts.has(one.slug))) }]
      }
      onType={setTyped}
      onClose={onClose}
    >
      <ErrorNote error={error} />
      {none && error === null && (
        <p className="soft">
          {isHandle ? t('people.noHandle', { handle: visibleLine(text) }) : t('people.notFound')}
        </p>
      )}
    </Chooser>
  );
}
