import { type KeyboardEvent, useState } from 'react';
import { t } from '../../language/texts.ts';
import { useAction } from '../state/action.ts';
import { Field } from './field.tsx';
import { ErrorNote, Note } from './notes.tsx';

interface FieldsOf {
  readonly why: string;
  onDone?(): void;
}

/**
 * Creates the passphrase vault. The passphrase is typed twice, because it cannot be recovered. It is no form,
 * so that it also works inside of one.
 */
export function PassphraseFields({ why, onDone }: FieldsOf) {
  const unlock = useAction('host.unlock');
  const [first, setFirst] = useState('');
  const [again, setAgain] = useState('');
  const differs = again !== '' && first !== again;
  const ready = first !== '' && first === again && !unlock.busy;
  const run = async (): Promise<void> => {
    if (!ready) return;
    const done = await unlock.run({ passphrase: first });
    if (done.ok) onDone?.();
  };
  const onEnter = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    void run();
  };
  return (
    <div className="stack">
      <Note tone="plain">{why}</Note>
      <Field
        label={t('firstRun.newPassphrase')}
        type="password"
        autoComplete="new-password"
        autoFocus
        value={first}
        onKeyDown={onEnter}
        onChange={(event) => setFirst(event.target.value)}
        hint={t('firstRun.newPassphraseHint')}
      />
      <Field
        label={t('firstRun.onceMore')}
        type="password"
        autoComplete="new-password"
        value={again}
        aria-invalid={differs}
        onKeyDown={onEnter}
        onChange={(event) => setAgain(event.target.value)}
        hint={differs ? t('firstRun.differs') : undefined}
      />
      <ErrorNote error={unlock.error} />
      <button
        type="button"
        className="button is-primary is-wide"
        disabled={!ready}
        onClick={() => void run()}
      >
        {unlock.busy ? t('firstRun.sealing') : t('firstRun.usePassphrase')}
      </button>
    </div>
  );
}
