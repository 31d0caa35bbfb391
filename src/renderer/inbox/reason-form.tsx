import type { FormEvent } from 'react';
import { t } from '../../language/texts.ts';
import { Field } from '../parts/field.tsx';
import type { Decide } from '../state/approvals.ts';

interface ReasonOf {
  /** Held by the card, so that its plain deny button sends the typed reason too. */
  readonly reason: string;
  readonly decide: Decide;
  /** Says who reads the reason. */
  readonly hint: string;
  readonly send: string;
  onChange(reason: string): void;
}

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
