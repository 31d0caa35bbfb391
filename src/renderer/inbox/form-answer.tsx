import type { RefObject } from 'react';
import type { Approval } from '../../contract/approvals.ts';
import { t } from '../../language/texts.ts';
import type { Decide } from '../state/approvals.ts';
import { Respond } from './gate-answer.tsx';

interface FormAnswerOf {
  readonly form: NonNullable<Approval['form']>;
  readonly decide: Decide;
  /** True once the question was scrolled to its end; required before sending. */
  readonly read: boolean;
  readonly isCut: boolean;
  readonly deny: RefObject<HTMLButtonElement | null>;
}

/** Answer to a question that asks for values: they are sent, or the question is denied. */
export function FormAnswer({ form, decide, read, isCut, deny }: FormAnswerOf) {
  return (
    <footer className="gate-foot">
      {!read && <p className="fine">{t(isCut ? 'consent.cut' : 'gates.scrollFirst')}</p>}
      <Respond form={form} decide={decide} read={read} />
      <div className="ask-buttons">
        <button
          type="button"
          ref={deny}
          className="button"
          disabled={decide.busy}
          onClick={() => void decide.run({ type: 'deny', reason: '' })}
        >
          {t('consent.deny')}
        </button>
        <button
          type="button"
          className="button is-plain"
          disabled={decide.busy}
          onClick={() => void decide.run({ type: 'not_now' })}
        >
          {t('consent.notNow')}
        </button>
      </div>
    </footer>
  );
}
