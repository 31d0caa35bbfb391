import type { ReactNode } from 'react';
import type { AppError } from '../../contract/errors.ts';
import { localizeError, localizeHint } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';
import { errorFix } from '../state/error-fix.ts';
import { go } from '../state/route.ts';

export function ErrorNote({ error, children }: { error: AppError | null; children?: ReactNode }) {
  if (error === null) return null;
  const hint = localizeHint(error);
  return (
    <div className="note is-error" role="alert">
      <Icon name="warning" size={16} />
      <div>
        <p>{localizeError(error)}</p>
        {hint !== '' && <p className="note-hint">{hint}</p>}
        {error.where !== undefined && <p className="note-where">{error.where}</p>}
        <FixButton error={error} />
        {children}
      </div>
    </div>
  );
}

/** Opens the screen that does what the error suggests; nothing without one. */
export function FixButton({ error }: { error: Pick<AppError, 'hint'> }) {
  const fix = errorFix(error);
  return fix === null ? null : (
    <button type="button" className="link" onClick={() => go(fix.route)}>
      {fix.label}
    </button>
  );
}

export function Note({ tone, children }: { tone: 'plain' | 'warning'; children: ReactNode }) {
  return (
    <div className={`note is-${tone}`}>
      {tone === 'warning' && <Icon name="warning" size={16} />}
      <div>{children}</div>
    </div>
  );
}
