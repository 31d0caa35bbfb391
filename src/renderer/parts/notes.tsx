import type { ReactNode } from 'react';
import type { AppError } from '../../contract/errors.ts';
import { localizeError, localizeHint } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';

export function ErrorNote({ error, children }: { error: AppError | null; children?: ReactNode }) {
  if (error === null) return null;
  return (
    <div className="note is-error" role="alert">
      <Icon name="warning" size={16} />
      <div>
        <p>{localizeError(error)}</p>
        {error.hint !== undefined && <p className="note-hint">{localizeHint(error)}</p>}
        {error.where !== undefined && <p className="note-where">{error.where}</p>}
        {children}
      </div>
    </div>
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
