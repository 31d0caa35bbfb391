import { t } from '../../language/texts.ts';
import { Mark } from '../mark/mark.tsx';

/** A browser without a session: only a new one-time link opens the page. */
export function SignedOut() {
  return (
    <main className="welcome">
      <div className="welcome-card is-quiet" role="alert">
        <Mark state="offline" size={56} />
        <h1>{t('firstRun.signedOut')}</h1>
        <p className="soft">
          {t.rich('firstRun.signedOutText', { code: (chunks) => <code>{chunks}</code> })}
        </p>
      </div>
    </main>
  );
}
