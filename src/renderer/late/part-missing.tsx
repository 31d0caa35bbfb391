import { t } from '../../language/texts.ts';
import { Empty } from '../parts/empty.tsx';
import { ErrorNote } from '../parts/notes.tsx';

/** Its file is gone or out of reach, as after an update under an open page; the page of now has it. */
export function PartMissing() {
  return (
    <ErrorNote error={{ code: 'unavailable', message: t('parts.missing'), hint: t('parts.missingHint') }}>
      <div className="part-missing-again">
        <LoadAgain />
      </div>
    </ErrorNote>
  );
}

/** The same where nothing else is on the page. */
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
