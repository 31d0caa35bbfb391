import { useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { PersonDetail } from '../../contract/people-methods.ts';
import { dmRoomId } from '../../contract/room-id.ts';
import { t } from '../../language/texts.ts';
import { SpeakerAvatar } from '../agents/agent-avatar.tsx';
import { AgentChip } from '../chat/agent-chip.tsx';
import { RoomSign } from '../chat/room-icon.tsx';
import { visibleLine } from '../format/visible-text.ts';
import { Icon } from '../mark/icon.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Name } from '../parts/name.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { QrCode } from '../parts/qr-code.tsx';
import { Ago } from '../parts/time.tsx';
import { useAction } from '../state/action.ts';
import { useSeen } from '../state/presence.ts';
import { go } from '../state/route.ts';
import { showNotice } from '../state/screen.ts';
import { useAgentBySlug, useReplica, useRooms } from '../state/subscriptions.ts';
import { KeyNote } from './key-note.tsx';
import { TrustChip, useTrust } from './trust-chip.tsx';

interface Read {
  readonly person: PersonDetail | null;
  readonly error: AppError | null;
}

/** Reads again when the trust in the key changes. */
function usePerson(slug: string): Read & { reload(): void } {
  const { link } = useReplica();
  const trust = useTrust(slug);
  const [read, setRead] = useState<Read>({ person: null, error: null });
  const reload = useCallback((): void => {
    void link.call('people.show', { who: slug }).then((answer) => {
      setRead((before) =>
        answer.ok ? { person: answer.value, error: null } : { person: before.person, error: answer.error },
      );
    });
  }, [link, slug]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another trust is another answer
  useEffect(reload, [reload, trust]);
  return { ...read, reload };
}

export function PersonPage({ slug }: { slug: string }) {
  const { person, error, reload } = usePerson(slug);
  const hasNumber = person !== null && person.safetyNumber !== '';
  return (
    <div className="page person-page">
      <button type="button" className="link" onClick={() => go({ view: 'people', person: null })}>
        {t('people.back')}
      </button>
      <ErrorNote error={error} />
      {person !== null && (
        <>
          <PersonHead person={person} />
          <KeyNote slug={slug} name={person.displayName} agent={person.agent} />
          {hasNumber && <SafetyNumber person={person} onChanged={reload} />}
        </>
      )}
      {/* The mark stays removable without an answer from the server. */}
      {!hasNumber && (person ?? error) !== null && (
        <Mark slug={slug} verifiedAt={person?.verifiedAt ?? null} onChanged={reload} />
      )}
      {person !== null && <SharedRooms ids={person.rooms} />}
    </div>
  );
}

function PersonHead({ person: { slug, displayName, agent, role } }: { person: PersonDetail }) {
  const own = useAgentBySlug(agent ? slug : null);
  const seen = useSeen(agent ? slug : null);
  return (
    <header className="page-head">
      <SpeakerAvatar name={displayName} slug={slug} agent={agent} />
      <div className="person-words">
        <h1 className="person-name">
          <Name>{displayName}</Name>
          {agent && <AgentChip slug={slug} />}
          <TrustChip slug={slug} />
        </h1>
        <p className="soft">
          <Name>{`@${slug}`}</Name>
          {role === '' ? '' : ` · ${visibleLine(role)}`}
          {seen === null ? '' : ` · ${seen.words}`}
        </p>
      </div>
      {own !== null && (
        <button type="button" className="button" onClick={() => go({ view: 'agents', agent: own.id })}>
          {t('people.agentPage')}
        </button>
      )}
      <button
        type="button"
        className="button is-primary"
        onClick={() => go({ view: 'chat', room: dmRoomId(slug) })}
      >
        {t('people.message')}
      </button>
    </header>
  );
}

function SafetyNumber({ person, onChanged }: { person: PersonDetail; onChanged(): void }) {
  const verify = useAction('people.verify');
  const { slug, safetyNumber, verifiedAt } = person;
  const name = visibleLine(person.displayName);
  const mark = async (): Promise<void> => {
    if (!(await verify.run({ who: slug, safetyNumber })).ok) return;
    showNotice(t('people.isVerified', { name }));
    onChanged();
  };
  return (
    <section className="card stack" aria-labelledby="safety-title">
      <h2 id="safety-title">{t('people.safetyNumber')}</h2>
      <p className="soft">{t('people.safetyText', { name })}</p>
      <div className="safety">
        <QrCode text={safetyNumber.replaceAll(' ', '')} label={t('people.qr')} />
        <div className="stack">
          <p className="safety-digits">
            {safetyNumber.split(' ').map((group, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a group may occur twice, and none moves
              <span key={at}>{group}</span>
            ))}
          </p>
          <p className="safety-actions">
            <CopyButton label={t('people.copyNumber')} text={safetyNumber} />
            {verifiedAt === null && (
              <button
                type="button"
                className="button is-primary"
                disabled={verify.busy}
                onClick={() => void mark()}
              >
                {t('people.verify')}
              </button>
            )}
          </p>
          <Mark slug={slug} verifiedAt={verifiedAt} onChanged={onChanged} />
        </div>
      </div>
      <ErrorNote error={verify.error} />
    </section>
  );
}

interface MarkOf {
  readonly slug: string;
  /** `null` if the mark is lost, or if this is not known. */
  readonly verifiedAt: number | null;
  onChanged(): void;
}

/** The verified mark, also a lost one, and the button that removes it. */
function Mark({ slug, verifiedAt, onChanged }: MarkOf) {
  const trust = useTrust(slug);
  const unverify = useAction('people.unverify');
  if (trust !== 'verified' && trust !== 'lost') return null;
  const unmark = async (): Promise<void> => {
    if ((await unverify.run({ who: slug })).ok) onChanged();
  };
  return (
    <>
      <p className="safety-actions">
        {verifiedAt !== null && (
          <span className="soft">
            <Icon name="gate" size={14} />{' '}
            {t.rich('people.verifiedSince', { when: () => <Ago at={verifiedAt} /> })}
          </span>
        )}
        <button
          type="button"
          className="button is-small"
          disabled={unverify.busy}
          onClick={() => void unmark()}
        >
          {t('people.unverify')}
        </button>
      </p>
      <ErrorNote error={unverify.error} />
    </>
  );
}

function SharedRooms({ ids }: { ids: readonly string[] }) {
  const rooms = useRooms((view) => view?.rooms);
  const shared = ids.flatMap((id) => rooms?.[id] ?? []);
  if (shared.length === 0) return null;
  return (
    <section className="card stack" aria-labelledby="shared-title">
      <h2 id="shared-title">{t('people.shared')}</h2>
      <ul className="shared-rooms">
        {shared.map((room) => (
          <li key={room.id}>
            <button type="button" className="link" onClick={() => go({ view: 'chat', room: room.id })}>
              <RoomSign room={room} />
              {room.kind === 'dm' ? t('people.direct') : <Name>{room.name}</Name>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
