import { useMemo } from 'react';
import type { AppError } from '../../contract/errors.ts';
import { type DiffPart, foldDiff, lineDiff } from '../agents/line-diff.ts';
import { plural } from '../words/amounts.ts';
import { visibleBody } from '../words/visible-text.ts';
import { Dialog } from './dialog.tsx';
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

/** The change is the largest thing here; saving is the last step. */
export function DiffReview({ title, verb, before, after, busy, error, onSave, onClose }: ReviewOf) {
  const lines = useMemo(() => lineDiff(before, after), [before, after]);
  const count = (kind: string): number => lines.filter((line) => line.kind === kind).length;
  return (
    <Dialog title={title} wide onClose={onClose}>
      <p className="soft">
        {plural(count('added'), 'line')} added, {plural(count('removed'), 'line')} removed.
      </p>
      <DiffView parts={foldDiff(lines)} />
      <ErrorNote error={error} />
      <footer className="dialog-foot">
        <button type="button" className="button" onClick={onClose}>
          Keep writing
        </button>
        <button type="button" className="button is-primary" disabled={busy} onClick={onSave}>
          {busy ? 'Saving…' : verb}
        </button>
      </footer>
    </Dialog>
  );
}

const signs = { same: ' ', added: '+', removed: '−' } as const;
const spoken = { same: '', added: 'added: ', removed: 'removed: ' } as const;

function DiffView({ parts }: { parts: readonly DiffPart[] }) {
  return (
    <ScrollRegion className="diff" label="Changed lines">
      {parts.map((part, index) => {
        const key = `${index} ${part.kind}`;
        if (part.kind === 'folded')
          return (
            <p key={key} className="diff-fold">
              {plural(part.count, 'line')} without change
            </p>
          );
        return (
          <p key={key} className={`diff-line is-${part.kind}`}>
            <span aria-hidden="true">{signs[part.kind]}</span>
            <span className="visually-hidden">{spoken[part.kind]}</span>
            <bdi>{visibleBody(part.text)}</bdi>
          </p>
        );
      })}
    </ScrollRegion>
  );
}
