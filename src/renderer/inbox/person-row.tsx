import { createContext, useContext } from 'react';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Icon } from '../mark/icon.tsx';
import { Name } from '../parts/name.tsx';
import { Ago } from '../parts/time.tsx';
import { act } from '../state/action.ts';
import { go } from '../state/route.ts';
import { showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import type { ReadState } from '../state/use-read.ts';

interface PersonOf {
  readonly slug: string;
  /** The person's key changed; otherwise a held first contact. */
  readonly changed: boolean;
  readonly at: number;
}

/** Details of all people, read once by the list around the rows. */
export const PeersOfRows = createContext<ReadState<'peers.list'> | null>(null);

/** A person with a held first contact or a changed key; details appear once `PeersOfRows` has them. */
export function PersonRow({ slug, changed, at }: PersonOf) {
  const read = useContext(PeersOfRows);
  const peer = read?.value?.peers.find((one) => one.slug === slug);
  const count = peer?.messages ?? 0;
  const name = peer?.displayName || slug;
  return (
    <li className={`need is-${changed ? 'red' : 'amber'}`}>
      <Icon name={changed ? 'warning' : 'people'} size={16} />
      <div className="need-words">
        <p>
          <strong>
            <Name>{name}</Name>
          </strong>{' '}
          {changed ? t('home.heldChanged', { count }) : t('home.heldWaiting', { count })}
        </p>
        <p className="soft">
          <Name>{`@${slug}`}</Name> <Ago at={peer?.since ?? at} />
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
          <Answers slug={slug} name={visibleLine(name)} onAnswered={() => void read?.reload()} />
        )}
      </div>
    </li>
  );
}

function Answers({ slug, name, onAnswered }: { slug: string; name: string; onAnswered(): void }) {
  const { link } = useReplica();
  const answer = async (method: 'peers.allow' | 'peers.block'): Promise<void> => {
    if (!(await act(link, method, { slug }))) return;
    showNotice(method === 'peers.allow' ? t('home.allowed', { name }) : t('home.blocked', { name }));
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
