import { type FormEvent, useState } from 'react';
import { Field } from '../parts/field.tsx';
import { ErrorNote, Note } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';

/** Makes the passphrase vault. Typed twice, because nobody can recover it. */
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
        label="New passphrase"
        type="password"
        autoComplete="new-password"
        autoFocus
        value={first}
        onChange={(event) => setFirst(event.target.value)}
        hint="A sentence of several words is best. Nobody can recover it for you."
      />
      <Field
        label="Once more"
        type="password"
        autoComplete="new-password"
        value={again}
        aria-invalid={differs}
        onChange={(event) => setAgain(event.target.value)}
        hint={differs ? 'The two are not the same yet.' : undefined}
      />
      <ErrorNote error={unlock.error} />
      <button
        type="submit"
        className="button is-primary is-wide"
        disabled={first === '' || first !== again || unlock.busy}
      >
        {unlock.busy ? 'Sealing…' : 'Use this passphrase'}
      </button>
    </form>
  );
}
