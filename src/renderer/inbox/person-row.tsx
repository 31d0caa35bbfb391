import { useCallback, useEffect, useState } from 'react';
import type { PeerView } from '../../contract/identity-methods.ts';
import { t } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';
import { Name } from '../parts/name.tsx';
import { Ago } from '../parts/time.tsx';
import { act } from '../state/action.ts';
import { go } from '../state/route.ts';
import { say } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { visibleLine } from '../words/visible-text.ts';

interface PersonOf {
  readonly slug: string;
  /** The person's key changed; otherwise a held first contact. */
  readonly changed: boolean;
  readonly at: number;
}

/** Details from the server, or `null` until they are read. */
function usePeer(slug: string): { readonly peer: PeerView | null; again(): void } {
  const { link } = useReplica();
  const [peer, setPeer] = useState<PeerView | null>(null);
  const load = useCallback(async () => {
    const result = await link.call('peers.list', {});
    if (result.ok) setPeer(result.value.peers.find((one) => one.slug === slug) ?? null);
  }, [link, slug]);
  useEffect(() => void load(), [load]);
  return { peer, again: () => void load() };
}

/** A person with a held first contact or a changed key. */
export function PersonRow({ slug, changed, at }: PersonOf) {
  const { peer, again } = usePeer(slug);
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
          <Answers slug={slug} name={visibleLine(name)} onAnswered={again} />
        )}
      </div>
    </li>
  );
}

function Answers({ slug, name, onAnswered }: { slug: string; name: string; onAnswered(): void }) {
  const { link } = useReplica();
  const answer = async (method: 'peers.allow' | 'peers.block'): Promise<void> => {
    if (!(await act(link, method, { slug }))) return;
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
