import { type FormEvent, useState } from 'react';
import { t } from '../../language/texts.ts';
import { Field } from '../parts/field.tsx';
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

/** Sets or changes a passphrase; the new one is typed twice, because it cannot be recovered. */
export function ChangePassphrase({ of, isNew = false, onDone }: FormOf) {
  const lock = useAction('lock.setPassphrase');
  const vault = useAction('vault.changePassphrase');
  const [former, setFormer] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const differs = again !== '' && again !== next;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const result =
      of === 'vault'
        ? await vault.run({ former, passphrase: next })
        : await lock.run({ former: isNew ? null : former, passphrase: next });
    if (!result.ok) return;
    for (const clear of [setFormer, setNext, setAgain]) clear('');
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
      <Field
        label={t('firstRun.newPassphrase')}
        type="password"
        autoComplete="new-password"
        value={next}
        onChange={(event) => setNext(event.target.value)}
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
      <ErrorNote error={lock.error ?? vault.error} />
      <div>
        <button
          type="submit"
          className="button"
          disabled={busy || next === '' || next !== again || (!isNew && former === '')}
        >
          {t(isNew ? 'settings.passphraseSet' : 'settings.passphraseChange')}
        </button>
      </div>
    </form>
  );
}
