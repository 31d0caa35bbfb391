import type { ReactNode } from 'react';
import type { AppError } from '../../contract/errors.ts';
import { ErrorNote } from './notes.tsx';

interface Foot {
  readonly action: { readonly busy: boolean; readonly error: AppError | null };
  readonly label?: string;
  onCancel?(): void;
  readonly children?: ReactNode;
}

/** The end of a form that saves: what went wrong, the button, and a way out. */
export function FormFoot({ action, label = 'Save', onCancel, children }: Foot) {
  return (
    <>
      <ErrorNote error={action.error} />
      <footer className="form-foot">
        <button type="submit" className="button is-primary" disabled={action.busy}>
          {action.busy ? 'Saving…' : label}
        </button>
        {onCancel !== undefined && (
          <button type="button" className="button" onClick={onCancel}>
            Cancel
          </button>
        )}
        {children}
      </footer>
    </>
  );
}
