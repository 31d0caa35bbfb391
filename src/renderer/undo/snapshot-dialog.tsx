import { useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import type { SnapshotView } from '../../contract/snapshot-methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useAction } from '../state/action.ts';
import { useReplica } from '../state/subscriptions.ts';
import { FileChange, Gaps } from './undo-dialog.tsx';

/** The changes since a snapshot, and its restore. */
export function SnapshotDialog({ snapshot, onClose }: { snapshot: SnapshotView; onClose(): void }) {
  const { link } = useReplica();
  const { agentId: agent, id, label, reason } = snapshot;
  const [changes, setChanges] = useState<MethodOutput<'snapshots.diff'> | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const [looks, setLooks] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `looks` asks for another reading
  useEffect(() => {
    let gone = false;
    void link.call('snapshots.diff', { agent, snapshot: id }).then((result) => {
      if (gone) return;
      setChanges(result.ok ? result.value : null);
      setError(result.ok ? null : result.error);
    });
    return () => {
      gone = true;
    };
  }, [link, agent, id, looks]);
  const { busy, error: refused, run } = useAction('snapshots.restore');
  const restore = async (digest: string): Promise<void> => {
    const done = await run({ agent, snapshot: id, digest });
    if (done.ok) onClose();
    else if (done.error.code === 'conflict') setLooks(looks + 1);
  };
  const name = label === null ? t(`undo.reason_${reason}`) : visibleLine(label);
  const more = changes === null ? 0 : changes.fileCount - changes.files.length;
  const ready = changes?.files.some(({ state }) => state === 'ready') === true;
  return (
    <Dialog title={t('undo.changesSinceOf', { name })} wide onClose={onClose}>
      {changes === null && error === null && <Skeleton words={t('undo.reading')} shape="text" count={6} />}
      <ErrorNote error={error} />
      {changes !== null && (
        <>
          <p className="soft">{ready ? t('undo.restoreMeansAll') : t('undo.nothingSince')}</p>
          <ul className="undo-files">
            {changes.files.map((file) => (
              <FileChange key={file.path} file={file} />
            ))}
          </ul>
          {more > 0 && <p className="fine">{t('undo.moreFiles', { count: more })}</p>}
          {changes.gaps.length > 0 && <Gaps gaps={changes.gaps} />}
        </>
      )}
      <ErrorNote error={refused} />
      <footer className="dialog-foot">
        <button type="button" className="button" onClick={onClose}>
          {t('parts.cancel')}
        </button>
        <button
          type="button"
          className="button is-primary"
          disabled={busy || !ready}
          onClick={() => void (changes !== null && restore(changes.digest))}
        >
          {busy ? t('undo.restoring') : t('undo.restoreSnapshot')}
        </button>
      </footer>
    </Dialog>
  );
}
