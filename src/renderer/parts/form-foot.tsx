import type { ReactNode } from 'react';
import type { AppError } from '../../contract/errors.ts';
import { t } from '../../language/texts.ts';
import { ErrorNote } from './notes.tsx';

interface Foot {
  readonly action: { readonly busy: boolean; readonly error: AppError | null };
  readonly label?: string;
  /** Nothing has changed, or the input is invalid. */
  readonly disabled?: boolean;
  onCancel?(): void;
  readonly children?: ReactNode;
}

/** End of a form: error, save button and optional cancel. */
export function FormFoot({ action, label, disabled = false, onCancel, children }: Foot) {
  return (
    <>
      <ErrorNote error={action.error} />
      <footer className="form-foot">
        <button type="submit" className="button is-primary" disabled={action.busy || disabled}>
          {action.busy ? t('parts.saving') : (label ?? t('parts.save'))}
        </button>
        {onCancel !== undefined && (
          <button type="button" className="button" onClick={onCancel}>
            {t('parts.cancel')}
          </button>
        )}
        {children}
      </footer>
    </>
  );
}
