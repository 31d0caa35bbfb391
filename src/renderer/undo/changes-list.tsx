import { useState } from 'react';
import type { RestorePointView } from '../../contract/undo-methods.ts';
import { localize, t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { ErrorNote } from '../parts/notes.tsx';
import { Ago } from '../parts/time.tsx';
import { UndoDialog, type UndoTargetView } from './undo-dialog.tsx';
import { usePoints } from './use-points.ts';

const pageSize = 20;

/** File changes of an agent or a task, newest first; nothing if none exist. */
export function ChangesList({ of }: { of: { readonly agent: string } | { readonly task: number } }) {
  const [limit, setLimit] = useState(pageSize);
  const { points, hasMore, error } = usePoints({ ...of, limit });
  const [target, setTarget] = useState<UndoTargetView | null>(null);
  if (error === null && (points === null || points.length === 0)) return null;
  const last = points?.find(
    ({ tool, undoneBy, endedAt }) => tool !== 'undo' && undoneBy === null && endedAt !== null,
  );
  return (
    <section className="card stack" aria-label={t('undo.changes')}>
      <header className="card-head">
        <h2>{t('undo.changes')}</h2>
        {'task' in of && last && (
          <button
            type="button"
            className="button"
            onClick={() => setTarget({ point: last.id, whole: 'turn' })}
          >
            {t('undo.undoTask')}
          </button>
        )}
      </header>
      <ErrorNote error={error} />
      <ul className="undo-points">
        {(points ?? []).map((point) => (
          <PointRow key={point.id} point={point} open={setTarget} />
        ))}
      </ul>
      {hasMore && (
        <button type="button" className="link" onClick={() => setLimit(Math.min(200, limit + pageSize))}>
          {t('undo.earlier')}
        </button>
      )}
      {target !== null && <UndoDialog target={target} onClose={() => setTarget(null)} />}
    </section>
  );
}

function PointRow({ point, open }: { point: RestorePointView; open(target: UndoTargetView): void }) {
  const { id, title, at, undoneBy, endedAt, fileCount } = point;
  return (
    <li className="undo-point">
      <span>
        <bdi>{visibleLine(localize(title))}</bdi>{' '}
        <span className="fine">
          {t('undo.files', { count: fileCount })}, <Ago at={at} />
          {undoneBy !== null && `, ${t('undo.undone')}`}
        </span>
      </span>
      {endedAt !== null && (
        <button type="button" className="link" onClick={() => open({ point: undoneBy ?? id, whole: 'call' })}>
          {undoneBy === null ? t('undo.view') : t('undo.takeBack')}
        </button>
      )}
    </li>
  );
}
