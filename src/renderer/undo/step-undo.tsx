import { useState } from 'react';
import type { ToolStep } from '../../contract/work.ts';
import { t } from '../../language/texts.ts';
import { UndoDialog, type UndoTargetView } from './undo-dialog.tsx';
import { usePoints } from './use-points.ts';

interface LinksOf {
  readonly point: string;
  readonly undoneBy: string | null;
  open(target: UndoTargetView): void;
}

/** For one restore point: view and undo, or take the undo back. */
function PointLinks({ point, undoneBy, open }: LinksOf) {
  if (undoneBy !== null)
    return (
      <>
        <span className="step-note">{t('undo.undone')}</span>
        <button type="button" className="link" onClick={() => open({ point: undoneBy, whole: 'call' })}>
          {t('undo.takeBack')}
        </button>
      </>
    );
  return (
    <>
      <button type="button" className="link" onClick={() => open({ point, whole: 'call' })}>
        {t('undo.view')}
      </button>
      <button type="button" className="link" onClick={() => open({ point, whole: 'call' })}>
        {t('undo.undo')}
      </button>
    </>
  );
}

/** Links of a point whose state is read here. */
export function StepUndo({ point }: { point: string }) {
  const { points } = usePoints({ points: [point] });
  const [target, setTarget] = useState<UndoTargetView | null>(null);
  const found = points?.[0];
  if (!found) return null;
  return (
    <>
      <PointLinks point={point} undoneBy={found.undoneBy} open={setTarget} />
      {target !== null && <UndoDialog target={target} onClose={() => setTarget(null)} />}
    </>
  );
}

/** Under the steps of a turn with several changes. */
export function TurnUndo({ steps }: { steps: readonly ToolStep[] }) {
  const ids = steps.flatMap(({ restorePoint }) => (restorePoint === undefined ? [] : [restorePoint]));
  return ids.length < 2 ? null : <AllOfTurn ids={ids} />;
}

function AllOfTurn({ ids }: { ids: readonly string[] }) {
  const { points } = usePoints({ points: ids.slice(0, 100) });
  const [open, setOpen] = useState(false);
  const last = points?.find(({ undoneBy }) => undoneBy === null);
  if (!last) return null;
  return (
    <p className="step-line">
      <button type="button" className="link" onClick={() => setOpen(true)}>
        {t('undo.undoTurn')}
      </button>
      {open && <UndoDialog target={{ point: last.id, whole: 'turn' }} onClose={() => setOpen(false)} />}
    </p>
  );
}
