import { useMemo } from 'react';
import { type DiffLine, diffLines } from '../../contract/line-diff.ts';
import { t } from '../../language/texts.ts';
import { visibleBody } from '../format/visible-text.ts';
import { foldDiff } from './fold-diff.ts';
import { ScrollRegion } from './scroll-region.tsx';

export const useDiff = (before: string, after: string): readonly DiffLine[] =>
  useMemo(() => diffLines(linesOf(before), linesOf(after)), [before, after]);

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.split('\n'));

const signs = { same: ' ', added: '+', removed: '−' } as const;
const spoken = (kind: keyof typeof signs): string =>
  kind === 'same' ? '' : kind === 'added' ? t('parts.addedLine') : t('parts.removedLine');

/** Changed lines with their neighbours; long unchanged stretches are folded. */
export function DiffView({ lines }: { lines: readonly DiffLine[] }) {
  return (
    <ScrollRegion className="diff" label={t('parts.changedLines')}>
      {foldDiff(lines).map((part, index) => {
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
