import { type FormEvent, useState } from 'react';
import { t } from '../../language/texts.ts';
import { Field } from '../parts/field.tsx';
import { NewPassphrase, useNewPassphrase } from '../parts/new-passphrase.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';

interface FormOf {
  /** Passphrase of the window lock, or of the vault. */
  readonly of: 'lock' | 'vault';
  /** No former passphrase exists. */
  readonly isNew?: boolean;
  onDone?(): void;
}

/** Sets or changes a passphrase. */
export function ChangePassphrase({ of, isNew = false, onDone }: FormOf) {
  const lock = useAction('lock.setPassphrase');
  const vault = useAction('vault.changePassphrase');
  const [former, setFormer] = useState('');
  const typed = useNewPassphrase();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const result =
      of === 'vault'
        ? await vault.run({ former, passphrase: typed.passphrase })
        : await lock.run({ former: isNew ? null : former, passphrase: typed.passphrase });
    if (!result.ok) return;
    setFormer('');
    typed.clear();
    showNotice(t('settings.passphraseChanged'));
    onDone?.();
  };
  const busy = lock.busy || vault.busy;
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      {!isNew && (
        <Field
          label={t('settings.passphraseNow')}
          type="password"
          autoComplete="current-password"
          value={former}
          onChange={(event) => setFormer(event.target.value)}
        />
      )}
      <NewPassphrase typed={typed} />
      <ErrorNote error={lock.error ?? vault.error} />
      <div>
        <button
          type="submit"
          className="button"
          disabled={busy || !typed.isRepeated || (!isNew && former === '')}
        >
          {t(isNew ? 'settings.passphraseSet' : 'settings.passphraseChange')}
        </button>
      </div>
    </form>
  );
}
