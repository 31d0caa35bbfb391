import type { KeyboardEvent } from 'react';
import { t } from '../../language/texts.ts';
import { useAction } from '../state/action.ts';
import { NewPassphrase, useNewPassphrase } from './new-passphrase.tsx';
import { ErrorNote, Note } from './notes.tsx';

interface FieldsOf {
  readonly why: string;
  onDone?(): void;
}

/**
 * Creates the passphrase vault. It is no form, so that it also works inside of one.
 */
export function PassphraseFields({ why, onDone }: FieldsOf) {
  const unlock = useAction('host.unlock');
  const typed = useNewPassphrase();
  const ready = typed.isRepeated && !unlock.busy;
  const run = async (): Promise<void> => {
    if (!ready) return;
    const done = await unlock.run({ passphrase: typed.passphrase });
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
      <NewPassphrase typed={typed} autoFocus onKeyDown={onEnter} />
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
