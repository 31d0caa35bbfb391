import { createContext, type ReactNode, useContext, useState } from 'react';
import type { RestorePointView } from '../../contract/undo-methods.ts';
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

/** Restore points of the steps of a turn, newest first. */
const StepPoints = createContext<readonly RestorePointView[]>([]);

/** The most points that `undo.list` accepts. */
const mostPoints = 100;

/** Reads the restore points of all steps at once, for `StepUndo` and `TurnUndo` inside it. */
export function StepsUndo({ steps, children }: { steps: readonly ToolStep[]; children: ReactNode }) {
  const ids = steps.flatMap(({ restorePoint }) => (restorePoint === undefined ? [] : [restorePoint]));
  const { points } = usePoints({ points: ids.slice(0, mostPoints), limit: mostPoints });
  return <StepPoints.Provider value={points ?? []}>{children}</StepPoints.Provider>;
}

/** Links of the restore point of a step. */
export function StepUndo({ point }: { point: string }) {
  const found = useContext(StepPoints).find(({ id }) => id === point);
  const [target, setTarget] = useState<UndoTargetView | null>(null);
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
  const changes = steps.filter(({ restorePoint }) => restorePoint !== undefined).length;
  const last = useContext(StepPoints).find(({ undoneBy }) => undoneBy === null);
  const [open, setOpen] = useState(false);
  if (changes < 2 || !last) return null;
  return (
    <p className="step-line">
      <button type="button" className="link" onClick={() => setOpen(true)}>
        {t('undo.undoTurn')}
      </button>
      {open && <UndoDialog target={{ point: last.id, whole: 'turn' }} onClose={() => setOpen(false)} />}
    </p>
  );
}
