import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Icon } from '../mark/icon.tsx';
import { act } from '../state/action.ts';
import { go, useRoute } from '../state/route.ts';
import { useReplica } from '../state/subscriptions.ts';
import { useTrust } from './trust-chip.tsx';

interface NoteOf {
  readonly slug: string;
  readonly name: string;
  /** Agents have no number to compare; a mark of an earlier version can only be removed. */
  readonly agent: boolean;
}

/** Says in a direct message that the identity key of the other side changed. */
export function KeyNote({ slug, name, agent }: NoteOf) {
  const { link } = useReplica();
  const trust = useTrust(slug);
  const isHere = useRoute(({ route }) => route.view === 'people' && route.person === slug);
  if (trust === null || trust === 'verified') return null;
  const who = visibleLine(name);
  if (agent && trust === 'lost')
    return (
      <div className="brake-note key-note" role="status">
        <Icon name="warning" size={16} />
        <p>{t('people.agentMarkLost', { name: who })}</p>
        {!isHere && (
          <button
            type="button"
            className="button is-small"
            onClick={() => void act(link, 'people.unverify', { who: slug })}
          >
            {t('people.unverify')}
          </button>
        )}
      </div>
    );
  return (
    <div className="brake-note key-note" role="status">
      <Icon name="warning" size={16} />
      <p>{t(trust === 'changed' ? 'people.keyChanged' : 'people.markLost', { name: who })}</p>
      {(trust === 'changed' || !isHere) && (
        <button
          type="button"
          className="button is-small"
          onClick={() =>
            go(
              trust === 'changed'
                ? { view: 'settings', section: 'people' }
                : { view: 'people', person: slug },
            )
          }
        >
          {t('people.compare')}
        </button>
      )}
    </div>
  );
}
