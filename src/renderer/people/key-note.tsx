import { t } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';
import { go, useRoute } from '../state/route.ts';
import { visibleLine } from '../words/visible-text.ts';
import { useTrust } from './trust-chip.tsx';

/** Says in a direct message that the identity key of the other side changed. */
export function KeyNote({ slug, name }: { slug: string; name: string }) {
  const trust = useTrust(slug);
  const isHere = useRoute(({ route }) => route.view === 'people' && route.person === slug);
  if (trust === null || trust === 'verified') return null;
  const who = visibleLine(name);
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
