import { t } from '../../language/texts.ts';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { useReplica } from '../state/subscriptions.ts';

/** Locks the page and ends browser sessions; renders nothing in the desktop app. */
export function SessionCard() {
  const { signOut } = useReplica().link;
  const lock = useAction('host.lock');
  const signOutAll = useAction('host.signOutBrowsers');
  if (signOut === undefined) return null;
  return (
    <section className="card stack" aria-labelledby="session-title">
      <h2 id="session-title">{t('settings.session')}</h2>
      <p className="soft">{t.rich('settings.sessionText', { code: (chunks) => <code>{chunks}</code> })}</p>
      <div className="actions">
        <button type="button" className="button" onClick={() => void lock.run({})}>
          {t('palette.lock')}
        </button>
        <button type="button" className="button" onClick={signOut}>
          {t('settings.signOut')}
        </button>
        <button type="button" className="button" onClick={() => void signOutAll.run({})}>
          {t('settings.signOutAll')}
        </button>
      </div>
      <ErrorNote error={lock.error ?? signOutAll.error} />
    </section>
  );
}
