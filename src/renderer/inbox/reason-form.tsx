import type { FormEvent } from 'react';
import { t } from '../../language/texts.ts';
import { Field } from '../parts/field.tsx';
import type { Decide } from '../state/asked.ts';

interface ReasonOf {
  /** The card has it: its plain no takes it along as long as it stands beside it. */
  readonly reason: string;
  readonly decide: Decide;
  /** Who reads the reason. */
  readonly hint: string;
  readonly send: string;
  onChange(reason: string): void;
}

/** A no with a reason. */
export function ReasonForm({ reason, decide, hint, send, onChange }: ReasonOf) {
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
        onChange={(event) => onChange(event.target.value)}
        hint={hint}
      />
      <button type="submit" className="button is-small" disabled={decide.busy}>
        {send}
      </button>
    </form>
  );
}
