import { t } from '../../language/texts.ts';

/** Has the height of the rows, so that the layout does not shift. */
export function RowsSkeleton() {
  return (
    <div className="card rows-card" role="status">
      <span className="visually-hidden">{t('workflows.reading')}</span>
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className="turn-row is-skeleton" aria-hidden="true" />
      ))}
    </div>
  );
}
