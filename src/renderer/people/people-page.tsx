import { useState } from 'react';
import type { PersonView } from '../../contract/people-methods.ts';
import { t } from '../../language/texts.ts';
import { SpeakerAvatar } from '../agents/agent-avatar.tsx';
import { AgentChip } from '../chat/agent-chip.tsx';
import { Icon } from '../mark/icon.tsx';
import { Empty } from '../parts/empty.tsx';
import { Name } from '../parts/name.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Segments } from '../parts/segments.tsx';
import { openSpaceDialog } from '../spaces/open-dialog.ts';
import { useSeen } from '../state/presence.ts';
import { go } from '../state/route.ts';
import { PersonPage } from './person-page.tsx';
import { TrustChip } from './trust-chip.tsx';
import { usePeople } from './use-people.ts';

const kinds = ['all', 'people', 'agents'] as const;
type Kind = (typeof kinds)[number];

export function PeoplePlace({ person }: { person: string | null }) {
  return person === null ? <PeoplePage /> : <PersonPage key={person} slug={person} />;
}

/** Everyone who shares a room with the operator; others of the server are found by handle. */
function PeoplePage() {
  const [typed, setTyped] = useState('');
  const [kind, setKind] = useState<Kind>('all');
  const { people, total, error } = usePeople(typed.trim());
  const shown = people?.filter(({ agent }) => kind === 'all' || agent === (kind === 'agents')) ?? [];
  return (
    <div className="page people-page">
      <header className="page-head">
        <div>
          <h1>{t('people.title')}</h1>
          <p className="soft">{t('people.lead')}</p>
        </div>
        <button
          type="button"
          className="button is-primary"
          onClick={() => openSpaceDialog({ type: 'new-message' })}
        >
          {t('people.newMessage')}
        </button>
      </header>
      <div className="people-filter">
        <div className="search">
          <Icon name="search" size={16} />
          <input
            type="search"
            aria-label={t('people.newMessageTo')}
            placeholder={t('people.newMessageTo')}
            value={typed}
            maxLength={200}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <Segments
          label={t('people.show')}
          value={kind}
          options={kinds.map((one) => [one, t(`people.show_${one}`)] as const)}
          onChange={(next: Kind) => setKind(next)}
        />
      </div>
      <ErrorNote error={error} />
      {people !== null && error === null && shown.length === 0 && (
        <Empty title={t('people.none')}>{t('people.notFound')}</Empty>
      )}
      <ul className="card people-rows" aria-label={t('people.title')} hidden={shown.length === 0}>
        {shown.map((one) => (
          <PersonRow key={one.slug} person={one} />
        ))}
      </ul>
      {people !== null && total > people.length && (
        <p className="soft">{t('people.more', { shown: people.length, total })}</p>
      )}
    </div>
  );
}

function PersonRow({ person }: { person: PersonView }) {
  const { slug, displayName, agent, rooms } = person;
  const seen = useSeen(agent ? slug : null);
  return (
    <li>
      <button
        type="button"
        className="person people-row"
        onClick={() => go({ view: 'people', person: slug })}
      >
        <SpeakerAvatar name={displayName} slug={slug} agent={agent} />
        <span className="person-words">
          <span className="person-name">
            <strong>
              <Name>{displayName}</Name>
            </strong>
            {agent && <AgentChip slug={slug} />}
            <TrustChip slug={slug} />
          </span>
          <span className="soft">
            <Name>{`@${slug}`}</Name>
            {` · ${t('people.rooms', { count: rooms.length })}`}
            {seen === null ? '' : ` · ${seen.words}`}
          </span>
        </span>
        <Icon name="chevron" size={16} />
      </button>
    </li>
  );
}
