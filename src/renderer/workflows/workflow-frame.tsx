import type { ReactNode } from 'react';
import type { AppError } from '../../contract/errors.ts';
import { t } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { goToWorkflows } from './addresses.ts';

interface FrameOf {
  readonly error: AppError | null;
  /** `null` while loading. */
  readonly children: ReactNode;
}

/** Layout of the file and run pages: back link, read error, loading state. */
export const WorkflowFrame = ({ error, children }: FrameOf) => (
  <div className="page work workflow-page">
    <p>
      <button type="button" className="link turn-back" onClick={goToWorkflows}>
        <Icon name="back" size={16} /> {t('workflows.back')}
      </button>
    </p>
    <ErrorNote error={error} />
    {children === null && error === null && (
      <Skeleton words={t('workflows.reading')} shape="text" count={8} card />
    )}
    {children}
  </div>
);
