import type { ReactNode } from 'react';
import type { AppError } from '../../contract/errors.ts';
import { t } from '../../language/texts.ts';
import type { Form } from '../state/form.ts';
import { ErrorNote } from './notes.tsx';
import { PassphraseStep } from './passphrase-step.tsx';

interface Foot {
  readonly action: { readonly busy: boolean; readonly error: AppError | null };
  readonly label?: string;
  /** The input is invalid, or nothing has changed. */
  readonly disabled?: boolean;
  /** For a form of stored values: shows unsaved changes, and saves only those. */
  readonly form?: Pick<Form<object>, 'changed' | 'discard'>;
  onCancel?(): void;
  /** Saves again, once secrets can be stored. */
  onUnlocked?(): void;
  readonly children?: ReactNode;
}

/** End of a form: error, save button and optional cancel. */
export function FormFoot({ action, label, disabled = false, form, onCancel, onUnlocked, children }: Foot) {
  const needsPassphrase = action.error?.code === 'insecure_storage' && onUnlocked !== undefined;
  return (
    <>
      {needsPassphrase ? <PassphraseStep onDone={onUnlocked} /> : <ErrorNote error={action.error} />}
      <footer className="form-foot">
        <button
          type="submit"
          className={needsPassphrase ? 'button' : 'button is-primary'}
          disabled={action.busy || disabled || form?.changed === false}
        >
          {action.busy ? t('parts.saving') : (label ?? t('parts.save'))}
        </button>
        {onCancel !== undefined && (
          <button type="button" className="button" onClick={onCancel}>
            {t('parts.cancel')}
          </button>
        )}
        {form?.changed === true && (
          <>
            <button type="button" className="button" disabled={action.busy} onClick={form.discard}>
              {t('parts.discard')}
            </button>
            <span className="soft" role="status">
              {t('parts.unsaved')}
            </span>
          </>
        )}
        {children}
      </footer>
    </>
  );
}
