import type { AppError } from '../../contract/errors.ts';
import { t } from '../../language/texts.ts';
import { Dialog } from './dialog.tsx';
import { DiffView, useDiff } from './diff-view.tsx';
import { ErrorNote } from './notes.tsx';

interface ReviewOf {
  readonly title: string;
  readonly verb: string;
  readonly before: string;
  readonly after: string;
  readonly busy: boolean;
  readonly error: AppError | null;
  onSave(): void;
  onClose(): void;
}

export function DiffReview({ title, verb, before, after, busy, error, onSave, onClose }: ReviewOf) {
  const lines = useDiff(before, after);
  const count = (kind: string): number => lines.filter((line) => line.kind === kind).length;
  return (
    <Dialog title={title} wide onClose={onClose}>
      <p className="soft">{t('parts.linesChanged', { added: count('added'), removed: count('removed') })}</p>
      <DiffView lines={lines} />
      <ErrorNote error={error} />
      <footer className="dialog-foot">
        <button type="button" className="button" onClick={onClose}>
          {t('parts.keepWriting')}
        </button>
        <button type="button" className="button is-primary" disabled={busy} onClick={onSave}>
          {busy ? t('parts.saving') : verb}
        </button>
      </footer>
    </Dialog>
  );
}
