import { type KeyboardEvent, useState } from 'react';
import { t } from '../../language/texts.ts';
import { Field } from './field.tsx';

/** A new passphrase, typed twice because it cannot be recovered. */
export function useNewPassphrase() {
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  return {
    passphrase,
    setPassphrase,
    again,
    setAgain,
    differs: again !== '' && again !== passphrase,
    isRepeated: passphrase !== '' && again === passphrase,
    clear(): void {
      setPassphrase('');
      setAgain('');
    },
  };
}

interface FieldsOf {
  readonly typed: ReturnType<typeof useNewPassphrase>;
  readonly label?: string;
  readonly hint?: string;
  readonly autoFocus?: boolean;
  onKeyDown?(event: KeyboardEvent): void;
}

export function NewPassphrase({
  typed,
  label = t('firstRun.newPassphrase'),
  hint = t('firstRun.newPassphraseHint'),
  autoFocus = false,
  onKeyDown,
}: FieldsOf) {
  return (
    <>
      <Field
        label={label}
        type="password"
        autoComplete="new-password"
        autoFocus={autoFocus}
        value={typed.passphrase}
        onKeyDown={onKeyDown}
        onChange={(event) => typed.setPassphrase(event.target.value)}
        hint={hint}
      />
      <Field
        label={t('firstRun.onceMore')}
        type="password"
        autoComplete="new-password"
        value={typed.again}
        aria-invalid={typed.differs}
        onKeyDown={onKeyDown}
        onChange={(event) => typed.setAgain(event.target.value)}
        hint={typed.differs ? t('firstRun.differs') : undefined}
      />
    </>
  );
}
