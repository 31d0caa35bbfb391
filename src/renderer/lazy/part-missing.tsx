import { t } from '../../language/texts.ts';
import { Empty } from '../parts/empty.tsx';
import { ErrorNote } from '../parts/notes.tsx';

/**
 * The chunk is missing or unreachable, for example after an update under an open page; a reload fetches the
 * new one.
 */
export function PartMissing() {
  return (
    <ErrorNote error={{ code: 'unavailable', message: t('parts.missing'), hint: t('parts.missingHint') }}>
      <div className="part-missing-again">
        <LoadAgain />
      </div>
    </ErrorNote>
  );
}

/** The same error as a whole page. */
export function PageMissing() {
  return (
    <div role="alert">
      <Empty page state="offline" title={t('parts.missing')}>
        <p>{t('parts.missingHint')}</p>
        <LoadAgain />
      </Empty>
    </div>
  );
}

function LoadAgain() {
  return (
    <button type="button" className="button" onClick={() => location.reload()}>
      {t('parts.loadAgain')}
    </button>
  );
}
