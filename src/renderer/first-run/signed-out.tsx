import { type FormEvent, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import { maxPassphraseLength } from '../../contract/passphrase-length.ts';
import { t } from '../../language/texts.ts';
import { HostHere } from '../frame/host-here.tsx';
import { Mark } from '../mark/mark.tsx';
import { Field } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useReplica } from '../state/subscriptions.ts';

/** A page without data: a browser without a session, or a locked window, which its passphrase opens. */
export function NoSession({ isLocked }: { isLocked: boolean }) {
  return isLocked ? <LockedWindow /> : <SignedOut />;
}

function SignedOut() {
  return (
    <main className="welcome">
      <div className="welcome-card is-quiet" role="alert">
        <Mark state="offline" size={56} />
        <h1>{t('firstRun.signedOut')}</h1>
        <p className="soft">
          {t.rich('firstRun.signedOutText', {
            code: (chunks) => <code>{chunks}</code>,
          })}
        </p>
      </div>
    </main>
  );
}

function LockedWindow() {
  const { link } = useReplica();
  const [passphrase, setPassphrase] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const opened = await link.unlock(passphrase);
    setBusy(false);
    setPassphrase('');
    setError(opened.ok ? null : opened.error);
  };
  return (
    <main className="welcome">
      <form className="welcome-card" onSubmit={(event) => void submit(event)}>
        <Mark state="offline" size={56} />
        <h1>{t('firstRun.pageLocked')}</h1>
        <p className="soft">{t('firstRun.pageLockedText')}</p>
        <Field
          label={t('firstRun.passphrase')}
          type="password"
          autoComplete="current-password"
          autoFocus
          maxLength={maxPassphraseLength}
          value={passphrase}
          onChange={(event) => setPassphrase(event.target.value)}
        />
        <ErrorNote error={error} />
        {error?.code === 'unavailable' && <HostHere />}
        <button type="submit" className="button is-primary is-wide" disabled={passphrase === '' || busy}>
          {busy ? t('firstRun.unlocking') : t('firstRun.unlock')}
        </button>
      </form>
    </main>
  );
}
