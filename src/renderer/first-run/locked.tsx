import { type FormEvent, useState } from 'react';
import { t } from '../../language/texts.ts';
import { Mark } from '../mark/mark.tsx';
import { Field } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';

/** Keys at rest are sealed; only the person's passphrase opens them. */
export function Locked() {
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
