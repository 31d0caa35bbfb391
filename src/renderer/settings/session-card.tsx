import { t } from '../../language/texts.ts';
import { useReplica } from '../state/subscriptions.ts';

/** Ends the session of this browser; the app's own window has none. */
export function SessionCard() {
  const { signOut } = useReplica().link;
  if (signOut === undefined) return null;
  return (
    <section className="card stack" aria-labelledby="session-title">
      <h2 id="session-title">{t('settings.session')}</h2>
      <p className="soft">{t('settings.sessionText')}</p>
      <div>
        <button type="button" className="button" onClick={signOut}>
          {t('settings.signOut')}
        </button>
      </div>
    </section>
  );
}
