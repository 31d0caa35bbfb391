/** The heading of a list; where the list is shown alone, the page's heading comes before it for screen readers. */
import { t } from '../../language/texts.ts';

export function ListTitle({ isAlone, children: place }: { isAlone: boolean; children: string }) {
  return (
    <>
      {isAlone && <h1 className="visually-hidden">{t('frame.title', { place })}</h1>}
      <h2>{place}</h2>
    </>
  );
}
