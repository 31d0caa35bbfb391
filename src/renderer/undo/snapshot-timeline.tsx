import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { AppError } from '../../contract/errors.ts';
import { maxLabel, type SnapshotView } from '../../contract/snapshot-methods.ts';
import { localize, t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Field } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Ago } from '../parts/time.tsx';
import { useAction } from '../state/action.ts';
import { useReplica } from '../state/subscriptions.ts';
import { SnapshotDialog } from './snapshot-dialog.tsx';

const pageSize = 10;

interface Snapshots {
  /** `null` before the first reading. */
  readonly found: readonly SnapshotView[] | null;
  readonly hasMore: boolean;
  readonly error: AppError | null;
}

/** Read again after each snapshot, restore and undo. */
function useSnapshots(agent: string, limit: number): Snapshots {
  const { link, undo } = useReplica();
  useEffect(() => undo.use(), [undo]);
  const revision = useStore(undo.store, ({ state }) => state?.revision ?? 0);
  const [snapshots, setSnapshots] = useState<Snapshots>({ found: null, hasMore: false, error: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `revision` asks for another reading
  useEffect(() => {
    let gone = false;
    void link.call('snapshots.list', { agent, limit }).then((result) => {
      if (gone) return;
      setSnapshots(
        result.ok
          ? { found: result.value.snapshots, hasMore: result.value.next !== null, error: null }
          : { found: null, hasMore: false, error: result.error },
      );
    });
    return () => {
      gone = true;
    };
  }, [link, agent, limit, revision]);
  return snapshots;
}

/** The snapshots of an agent's workspace, newest first, and the button that takes one. */
export function SnapshotTimeline({ agent }: { agent: string }) {
  const [limit, setLimit] = useState(pageSize);
  const { found, hasMore, error } = useSnapshots(agent, limit);
  const [shown, setShown] = useState<SnapshotView | null>(null);
  const [label, setLabel] = useState('');
  const { busy, error: refused, run } = useAction('snapshots.create');
  const take = async (): Promise<void> => {
    const named = label.trim();
    const made = await run({ agent, ...(named === '' ? {} : { label: named }) });
    if (made.ok) setLabel('');
  };
  return (
    <section className="card stack" aria-label={t('undo.snapshots')}>
      <header className="card-head">
        <h2>{t('undo.snapshots')}</h2>
      </header>
      <p className="soft">{t('undo.snapshotsTeach')}</p>
      <form
        className="snapshot-form"
        onSubmit={(event) => {
          event.preventDefault();
          void take();
        }}
      >
        <Field
          label={t('undo.snapshotLabel')}
          maxLength={maxLabel}
          value={label}
          onChange={({ target }) => setLabel(target.value)}
        />
        <button type="submit" className="button" disabled={busy}>
          {busy ? t('undo.takingSnapshot') : t('undo.takeSnapshot')}
        </button>
      </form>
      <ErrorNote error={refused ?? error} />
      {found?.length === 0 && <p className="soft">{t('undo.noSnapshots')}</p>}
      <ol className="undo-points">
        {(found ?? []).map((snapshot) => (
          <SnapshotRow key={snapshot.id} snapshot={snapshot} open={setShown} />
        ))}
      </ol>
      {hasMore && (
        <button type="button" className="link" onClick={() => setLimit(Math.min(200, limit + pageSize))}>
          {t('undo.earlierSnapshots')}
        </button>
      )}
      {shown !== null && <SnapshotDialog snapshot={shown} onClose={() => setShown(null)} />}
    </section>
  );
}

/** Its label, or why it was taken. */
const snapshotName = ({ label, reason }: SnapshotView): string =>
  label === null ? t(`undo.reason_${reason}`) : visibleLine(label);

function SnapshotRow({ snapshot, open }: { snapshot: SnapshotView; open(shown: SnapshotView): void }) {
  const { agentId, id, label, reason, about, at, files, gaps } = snapshot;
  const { busy, error, run } = useAction('snapshots.remove');
  const name = snapshotName(snapshot);
  return (
    <li className="undo-point">
      <span>
        <bdi>{name}</bdi>{' '}
        <span className="fine">
          {label !== null && `${t(`undo.reason_${reason}`)}, `}
          {about !== null && (
            <>
              <bdi>{visibleLine(localize(about))}</bdi>,{' '}
            </>
          )}
          {t('undo.files', { count: files })}, <Ago at={at} />
          {gaps > 0 && `, ${t('undo.uncovered', { count: gaps })}`}
        </span>
        <ErrorNote error={error} />
      </span>
      <span className="snapshot-links">
        <button
          type="button"
          className="link"
          aria-label={t('undo.changesSinceOf', { name })}
          onClick={() => open(snapshot)}
        >
          {t('undo.changesSince')}
        </button>
        <button
          type="button"
          className="link"
          aria-label={t('undo.removeSnapshotOf', { name })}
          disabled={busy}
          onClick={() => void run({ agent: agentId, snapshot: id })}
        >
          {t('undo.removeSnapshot')}
        </button>
      </span>
    </li>
  );
}
