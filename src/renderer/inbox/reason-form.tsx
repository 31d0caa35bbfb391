import { type FormEvent, useState } from 'react';
import { t } from '../../language/texts.ts';
import { Field } from '../parts/field.tsx';
import type { Decide } from '../state/asked.ts';

interface ReasonOf {
  readonly decide: Decide;
  /** Who reads the reason. */
  readonly hint: string;
  readonly send: string;
}

/** A no with a reason. */
export function ReasonForm({ decide, hint, send }: ReasonOf) {
  const [reason, setReason] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void decide.run({ type: 'deny', reason: reason.trim() });
  };
  return (
    <form className="ask-more" onSubmit={submit}>
      <Field
        label={t('consent.reason')}
        autoFocus
        maxLength={1000}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        hint={hint}
      />
      <button type="submit" className="button is-small" disabled={decide.busy}>
        {send}
      </button>
    </form>
  );
}
