import { useCallback, useEffect, useState } from 'react';
import type { PeerView } from '../../contract/identity-methods.ts';
import { t } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';
import { Name } from '../parts/name.tsx';
import { Ago } from '../parts/time.tsx';
import { act } from '../state/action.ts';
import { go } from '../state/route.ts';
import { say } from '../state/screen.ts';
import { useHost, useReplica, useRooms } from '../state/subscriptions.ts';
import { visibleLine } from '../words/visible-text.ts';

/**
 * Polling interval in ms, because no topic reports held people. A change of the host's state also reloads
 * them.
 */
const everyMs = 30_000;

interface Held {
  readonly people: readonly PeerView[];
  again(): void;
}

export function useHeld(): Held {
  const { link } = useReplica();
  const joined = useRooms((view) => (view?.self ?? null) !== null);
  const problems = useHost((host) => host?.problems);
  const [people, setPeople] = useState<readonly PeerView[]>([]);
  const load = useCallback(async () => {
    const result = await link.call('peers.list', {});
    if (result.ok)
      setPeople(result.value.peers.filter(({ state }) => state === 'changed' || state === 'waiting'));
  }, [link]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed key is also a problem of the host
  useEffect(() => {
    if (!joined) return;
    void load();
    const timer = setInterval(() => void load(), everyMs);
    return () => clearInterval(timer);
  }, [joined, load, problems]);
  return { people, again: () => void load() };
}

/** People with a held first contact or a changed key. */
export function HeldPeople({ held: { people, again } }: { held: Held }) {
  if (people.length === 0) return null;
  return (
    <ul className="need-list" aria-label={t('home.held')}>
      {people.map((peer) => (
        <HeldPerson key={`${peer.serverUrl} ${peer.slug}`} peer={peer} onAnswered={again} />
      ))}
    </ul>
  );
}

function HeldPerson({ peer, onAnswered }: { peer: PeerView; onAnswered(): void }) {
  const changed = peer.state === 'changed';
  const count = peer.messages;
  return (
    <li className={`need is-${changed ? 'red' : 'amber'}`}>
      <Icon name={changed ? 'warning' : 'people'} size={16} />
      <div className="need-words">
        <p>
          <strong>
            <Name>{peer.displayName || peer.slug}</Name>
          </strong>{' '}
          {changed ? t('home.heldChanged', { count }) : t('home.heldWaiting', { count })}
        </p>
        <p className="soft">
          <Name>{`@${peer.slug}`}</Name> {peer.since !== null && <Ago at={peer.since} />}
        </p>
      </div>
      <div className="need-answers">
        {changed ? (
          <button
            type="button"
            className="button is-small"
            onClick={() => go({ view: 'settings', section: 'people' })}
          >
            {t('home.compareKeys')}
          </button>
        ) : (
          <Answers peer={peer} onAnswered={onAnswered} />
        )}
      </div>
    </li>
  );
}

function Answers({ peer, onAnswered }: { peer: PeerView; onAnswered(): void }) {
  const { link } = useReplica();
  const name = visibleLine(peer.displayName || peer.slug);
  const answer = async (method: 'peers.allow' | 'peers.block'): Promise<void> => {
    if (!(await act(link, method, { slug: peer.slug }))) return;
    say(method === 'peers.allow' ? t('home.allowed', { name }) : t('home.blocked', { name }));
    onAnswered();
  };
  return (
    <>
      <button type="button" className="button is-small" onClick={() => void answer('peers.block')}>
        {t('home.block')}
        <span className="visually-hidden"> {name}</span>
      </button>
      <button type="button" className="button is-small is-primary" onClick={() => void answer('peers.allow')}>
        {t('home.allow')}
        <span className="visually-hidden"> {name}</span>
      </button>
    </>
  );
}
