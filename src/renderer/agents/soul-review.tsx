import { useMemo } from 'react';
import type { AgentSummary } from '../../contract/model.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { useAction } from '../state/action.ts';
import { keepSoul, say } from '../state/screen.ts';
import { plural } from '../words/amounts.ts';
import { visibleBody } from '../words/visible-text.ts';
import { type DiffPart, foldDiff, lineDiff } from './line-diff.ts';

interface ReviewOf {
  readonly agent: AgentSummary;
  readonly before: string;
  readonly after: string;
  onSaved(): void;
  onClose(): void;
}

/** The change is the largest thing here; saving is the last step. */
export function SoulReview({ agent, before, after, onSaved, onClose }: ReviewOf) {
  const edit = useAction('agents.edit');
  const lines = useMemo(() => lineDiff(before, after), [before, after]);
  const count = (kind: string): number => lines.filter((line) => line.kind === kind).length;
  const save = async (): Promise<void> => {
    const result = await edit.run({ agent: agent.id, soul: after });
    if (!result.ok) return;
    say(result.value.warning === '' ? 'Saved. It counts from the next turn.' : result.value.warning);
    onSaved();
    keepSoul(agent.id, null);
    onClose();
  };
  return (
    <Dialog title={`What changes in ${agent.displayName}’s soul`} wide onClose={onClose}>
      <p className="soft">
        {plural(count('added'), 'line')} added, {plural(count('removed'), 'line')} removed.
      </p>
      <DiffView parts={foldDiff(lines)} />
      <ErrorNote error={edit.error} />
      <footer className="dialog-foot">
        <button type="button" className="button" onClick={onClose}>
          Keep writing
        </button>
        <button type="button" className="button is-primary" disabled={edit.busy} onClick={() => void save()}>
          {edit.busy ? 'Saving…' : 'Save soul'}
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
