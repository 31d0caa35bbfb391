import { type FormEvent, useState } from 'react';
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
        <h1>Kennel is locked</h1>
        <p className="soft">
          Your identities, keys and messages are encrypted on this computer. Your passphrase opens them; it
          never leaves it.
        </p>
        <Field
          label="Passphrase"
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
          {unlock.busy ? 'Opening…' : 'Unlock'}
        </button>
      </form>
    </main>
  );
}
