import { type FormEvent, useState } from 'react';
import { localizeError, localizeHint, t } from '../../language/texts.ts';
import { Mark } from '../mark/mark.tsx';
import { Field } from '../parts/field.tsx';
import { ErrorNote, Note } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { useHost } from '../state/subscriptions.ts';

/** Shown while the vault is locked; it opens with the passphrase, the keychain or the key file. */
export function Locked() {
  const kind = useHost((host) => host?.vault.kind ?? null);
  return kind === 'keychain' || kind === 'demo-file' ? <KeyAway kind={kind} /> : <AskPassphrase />;
}

/** The user cannot unlock this kind here; the host retries by itself. */
function KeyAway({ kind }: { kind: 'keychain' | 'demo-file' }) {
  const problem = useHost((host) => host?.problems.find(({ id }) => id === 'vault') ?? null);
  return (
    <main className="welcome">
      <div className="welcome-card">
        <Mark state="needs_you" size={56} />
        <h1>{t('firstRun.locked')}</h1>
        {kind === 'keychain' && <p className="soft">{t('firstRun.keychainAway')}</p>}
        {problem !== null && (
          <Note tone="warning">
            <p>{localizeError(problem)}</p>
            {problem.hint !== undefined && <p className="note-hint">{localizeHint(problem)}</p>}
          </Note>
        )}
      </div>
    </main>
  );
}

function AskPassphrase() {
  const unlock = useAction('host.unlock');
  const [passphrase, setPassphrase] = useState('');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const result = await unlock.run({ passphrase });
    if (result.ok) setPassphrase('');
  };
  return (
    <main className="welcome">
      <form className="welcome-card" onSubmit={(event) => void submit(event)}>
        <Mark state="needs_you" size={56} />
        <h1>{t('firstRun.locked')}</h1>
        <p className="soft">{t('firstRun.lockedText')}</p>
        <Field
          label={t('firstRun.passphrase')}
          type="password"
          autoComplete="current-password"
          autoFocus
          value={passphrase}
          onChange={(event) => setPassphrase(event.target.value)}
        />
        <ErrorNote error={unlock.error} />
        <button
          type="submit"
          className="button is-primary is-wide"
          disabled={passphrase === '' || unlock.busy}
        >
          {unlock.busy ? t('firstRun.unlocking') : t('firstRun.unlock')}
        </button>
      </form>
    </main>
  );
}
