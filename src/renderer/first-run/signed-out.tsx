import { t } from '../../language/texts.ts';
import { Mark } from '../mark/mark.tsx';

/** Browser without a session: only a command on the computer that runs Kennel opens the page. */
export function NoSession({ isLocked }: { isLocked: boolean }) {
  return (
    <main className="welcome">
      <div className="welcome-card is-quiet" role="alert">
        <Mark state="offline" size={56} />
        <h1>{t(isLocked ? 'firstRun.pageLocked' : 'firstRun.signedOut')}</h1>
        <p className="soft">
          {t.rich(isLocked ? 'firstRun.pageLockedText' : 'firstRun.signedOutText', {
            code: (chunks) => <code>{chunks}</code>,
          })}
        </p>
      </div>
    </main>
  );
}
