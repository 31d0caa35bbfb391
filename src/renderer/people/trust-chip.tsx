import type { KeyTrust } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';
import { useRooms } from '../state/subscriptions.ts';

export const useTrust = (slug: string | null): KeyTrust | null =>
  useRooms((view) => (slug === null ? null : (view?.trust[slug] ?? null)));

/** Renders nothing for a person whose key was not compared. */
export function TrustChip({ slug }: { slug: string }) {
  const trust = useTrust(slug);
  if (trust === null) return null;
  return (
    <span className={`chip trust-chip${trust === 'verified' ? ' is-green' : ' is-amber'}`}>
      <Icon name={trust === 'verified' ? 'gate' : 'warning'} size={14} />
      {t(`people.trust_${trust}`)}
    </span>
  );
}
