import { type FormEvent, useState } from 'react';
import { Mark } from '../mark/mark.tsx';
import { Field } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { go } from '../state/route.ts';
import { useHost } from '../state/subscriptions.ts';
import { PassphraseFields } from './passphrase-fields.tsx';

const noForm = { serverUrl: 'https://chat.puffo.ai/relay', inviteCode: '', username: '', displayName: '' };

/** Sign-up with an invite code. A real identity needs a keychain or a passphrase first. */
export function ConnectForm({ onBack }: { onBack(): void }) {
  const [form, setForm] = useState(noForm);
  const signUp = useAction('setup.signUp');
  const sealed = useHost((host) => host?.vault.kind === 'keychain' || host?.vault.kind === 'passphrase');
  const change = (part: Partial<typeof noForm>): void => setForm((old) => ({ ...old, ...part }));
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const displayName = form.displayName.trim();
    const result = await signUp.run({
      serverUrl: form.serverUrl.trim(),
      inviteCode: form.inviteCode.trim(),
      username: form.username.trim(),
      ...(displayName === '' ? {} : { displayName }),
    });
    if (result.ok) go({ view: 'home' });
  };
  const filled = form.serverUrl.trim() !== '' && form.inviteCode.trim() !== '' && form.username.trim() !== '';
  return (
    <main className="welcome">
      <div className="welcome-card">
        <Mark state={signUp.busy ? 'working' : 'idle'} size={56} />
        <h1>Connect your Puffo space</h1>
        {sealed ? (
          <form className="stack" onSubmit={(event) => void submit(event)}>
            <ConnectFields form={form} change={change} />
            <ErrorNote error={signUp.error}>
              <p className="note-hint">
                {signUp.error?.code === 'unavailable'
                  ? 'Check the address, and that the server is running. What you typed is kept.'
                  : 'Nothing was set up. What you typed is kept.'}
              </p>
            </ErrorNote>
            <button type="submit" className="button is-primary is-wide" disabled={!filled || signUp.busy}>
              {signUp.busy ? 'Connecting…' : 'Connect'}
            </button>
          </form>
        ) : (
          <PassphraseFields why="This computer offers no keychain, so choose a passphrase. It seals your identity before one is made." />
        )}
        <button type="button" className="button is-plain is-wide" onClick={onBack} disabled={signUp.busy}>
          Back
        </button>
      </div>
    </main>
  );
}

interface FieldsOf {
  readonly form: typeof noForm;
  change(part: Partial<typeof noForm>): void;
}

function ConnectFields({ form, change }: FieldsOf) {
  return (
    <>
      <Field
        label="Server"
        type="url"
        spellCheck={false}
        value={form.serverUrl}
        onChange={(event) => change({ serverUrl: event.target.value })}
      />
      <Field
        label="Invite code"
        autoFocus
        spellCheck={false}
        autoComplete="off"
        value={form.inviteCode}
        onChange={(event) => change({ inviteCode: event.target.value })}
        hint="Whoever runs the space can give you one."
      />
      <Field
        label="User name"
        spellCheck={false}
        autoComplete="username"
        value={form.username}
        onChange={(event) => change({ username: event.target.value })}
        hint="Others mention you with @ and this name."
      />
      <Field
        label="Display name (optional)"
        autoComplete="name"
        value={form.displayName}
        onChange={(event) => change({ displayName: event.target.value })}
      />
    </>
  );
}
