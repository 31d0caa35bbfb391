import { useMemo } from 'react';
import type { AppError } from '../../contract/errors.ts';
import { diffLines } from '../../contract/line-diff.ts';
import { t } from '../../language/texts.ts';
import { visibleBody } from '../words/visible-text.ts';
import { Dialog } from './dialog.tsx';
import { type DiffPart, foldDiff } from './fold-diff.ts';
import { ErrorNote } from './notes.tsx';
import { ScrollRegion } from './scroll-region.tsx';

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
  const lines = useMemo(() => diffLines(before.split('\n'), after.split('\n')), [before, after]);
  const count = (kind: string): number => lines.filter((line) => line.kind === kind).length;
  return (
    <Dialog title={title} wide onClose={onClose}>
      <p className="soft">{t('parts.linesChanged', { added: count('added'), removed: count('removed') })}</p>
      <DiffView parts={foldDiff(lines)} />
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

const signs = { same: ' ', added: '+', removed: '−' } as const;
const spoken = (kind: keyof typeof signs): string =>
  kind === 'same' ? '' : kind === 'added' ? t('parts.addedLine') : t('parts.removedLine');

function DiffView({ parts }: { parts: readonly DiffPart[] }) {
  return (
    <ScrollRegion className="diff" label={t('parts.changedLines')}>
      {parts.map((part, index) => {
        const key = `${index} ${part.kind}`;
        if (part.kind === 'folded')
          return (
            <p key={key} className="diff-fold">
              {t('parts.linesSame', { count: part.count })}
            </p>
          );
        return (
          <p key={key} className={`diff-line is-${part.kind}`}>
            <span aria-hidden="true">{signs[part.kind]}</span>
            <span className="visually-hidden">{spoken(part.kind)}</span>
            <bdi>{visibleBody(part.text)}</bdi>
          </p>
        );
      })}
    </ScrollRegion>
  );
}
