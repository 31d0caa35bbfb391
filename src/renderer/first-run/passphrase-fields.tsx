import { type FormEvent, useState } from 'react';
import { t } from '../../language/texts.ts';
import { Field } from '../parts/field.tsx';
import { ErrorNote, Note } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';

/** Creates the passphrase vault. The passphrase is typed twice, because it cannot be recovered. */
export function PassphraseFields({ why }: { why: string }) {
  const unlock = useAction('host.unlock');
  const [first, setFirst] = useState('');
  const [again, setAgain] = useState('');
  const differs = again !== '' && first !== again;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (first !== again) return;
    await unlock.run({ passphrase: first });
  };
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <Note tone="plain">{why}</Note>
      <Field
        label={t('firstRun.newPassphrase')}
        type="password"
        autoComplete="new-password"
        autoFocus
        value={first}
        onChange={(event) => setFirst(event.target.value)}
        hint={t('firstRun.newPassphraseHint')}
      />
      <Field
        label={t('firstRun.onceMore')}
        type="password"
        autoComplete="new-password"
        value={again}
        aria-invalid={differs}
        onChange={(event) => setAgain(event.target.value)}
        hint={differs ? t('firstRun.differs') : undefined}
      />
      <ErrorNote error={unlock.error} />
      <button
        type="submit"
        className="button is-primary is-wide"
        disabled={first === '' || first !== again || unlock.busy}
      >
        {unlock.busy ? t('firstRun.sealing') : t('firstRun.usePassphrase')}
      </button>
    </form>
  );
}
