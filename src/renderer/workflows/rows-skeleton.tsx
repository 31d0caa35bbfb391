import { t } from '../../language/texts.ts';

/** As high as the rows that come. */
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
