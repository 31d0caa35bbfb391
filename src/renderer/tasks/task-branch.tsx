import { useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { TaskDiff, TaskSummary, TaskWorktree } from '../../contract/task-methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { DiffLines } from '../inbox/preview.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useAction } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';

/** The git worktree of a task: its branch and changes, and what becomes of them; nothing without one. */
export function TaskBranch({ task }: { task: TaskSummary }) {
  const { worktree } = task;
  if (worktree === null || worktree.state === 'off') return null;
  return (
    <section className="card stack task-branch" aria-labelledby="task-branch">
      <header className="card-head">
        <h2 id="task-branch">{t('tasks.branch')}</h2>
        {worktree.branch !== '' && (
          <code>
            <bdi>{visibleLine(worktree.branch)}</bdi>
          </code>
        )}
      </header>
      {worktree.state === 'open' ? (
        <Open task={task} worktree={worktree} />
      ) : (
        <p className="soft">{t(`tasks.branch_${worktree.state}`)}</p>
      )}
    </section>
  );
}

/** Read again when the task changes, and after a merge that found other files than were shown. */
function useDiff({ id, updatedAt, steps }: TaskSummary) {
  const { link } = useReplica();
  const [diff, setDiff] = useState<TaskDiff | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const [looks, setLooks] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the others ask for another reading
  useEffect(() => {
    let gone = false;
    void link.call('tasks.diff', { task: id }).then((result) => {
      if (gone) return;
      if (result.ok) setDiff(result.value);
      setError(result.ok ? null : result.error);
    });
    return () => {
      gone = true;
    };
  }, [link, id, updatedAt, steps, looks]);
  return { diff, error, again: () => setLooks((count) => count + 1) };
}

function Open({ task, worktree }: { task: TaskSummary; worktree: TaskWorktree }) {
  const { diff, error, again } = useDiff(task);
  const isOver = task.status === 'done' || task.status === 'error';
  return (
    <>
      <ErrorNote error={error} />
      {diff === null && error === null && (
        <Skeleton words={t('tasks.readingChanges')} shape="text" count={4} />
      )}
      {diff !== null && <Changes diff={diff} />}
      {isOver ? (
        <Fate task={task} worktree={worktree} diff={diff} onStale={again} />
      ) : (
        <p className="soft">{t('tasks.branchLater')}</p>
      )}
    </>
  );
}

function Changes({ diff }: { diff: TaskDiff }) {
  const { files, into, more } = diff;
  if (files.length === 0) return <p className="soft">{t('tasks.noChanges')}</p>;
  return (
    <>
      <p className="soft">
        {into === null
          ? t('tasks.changedFiles', { n: files.length + more })
          : t('tasks.changedFor', { n: files.length + more, branch: visibleLine(into) })}
      </p>
      <ul className="undo-files">
        {files.map((file) => (
          <ChangedFile key={file.path} file={file} isOnly={files.length === 1} />
        ))}
      </ul>
      {more > 0 && <p className="fine">{t('tasks.moreFiles', { n: more })}</p>}
    </>
  );
}

function ChangedFile({ file, isOnly }: { file: TaskDiff['files'][number]; isOnly: boolean }) {
  const { path, change, diff, cut } = file;
  const name = visibleLine(path);
  const title = (
    <>
      <strong>
        <bdi>{name}</bdi>
      </strong>{' '}
      <span className="fine">{t(`undo.${change}`)}</span>
    </>
  );
  if (diff === '') return <li className="undo-file">{title}</li>;
  return (
    <li>
      <details open={isOnly}>
        <summary className="undo-file">{title}</summary>
        <ScrollRegion className="ask-preview is-diff" label={t('undo.diffOf', { name })}>
          <DiffLines body={diff} />
        </ScrollRegion>
        {cut && <p className="fine">{t('undo.cut')}</p>}
      </details>
    </li>
  );
}

interface FateOf {
  readonly task: TaskSummary;
  readonly worktree: TaskWorktree;
  readonly diff: TaskDiff | null;
  onStale(): void;
}

function Fate({ task: { id }, worktree, diff, onStale }: FateOf) {
  const merge = useAction('tasks.merge');
  const [isAsking, setAsking] = useState(false);
  const branch = visibleLine(worktree.branch);
  const run = async (): Promise<void> => {
    if (diff === null) return;
    const merged = await merge.run({ task: id, tree: diff.tree });
    if (merged.ok) showNotice(t('tasks.branchMerged', { branch }));
    else onStale();
  };
  return (
    <>
      <ErrorNote error={merge.error} />
      <div className="form-foot">
        <button
          type="button"
          className="button is-primary"
          disabled={diff === null || diff.into === null || merge.busy}
          onClick={() => void run()}
        >
          {merge.busy ? t('tasks.merging') : t('tasks.merge')}
        </button>
        <button type="button" className="button" disabled={merge.busy} onClick={() => setAsking(true)}>
          {t('tasks.discard')}
        </button>
      </div>
      {isAsking && <DiscardDialog id={id} branch={branch} onClose={() => setAsking(false)} />}
    </>
  );
}

function DiscardDialog({ id, branch, onClose }: { id: number; branch: string; onClose(): void }) {
  const discard = useAction('tasks.discard');
  const run = async (): Promise<void> => {
    const done = await discard.run({ task: id });
    if (!done.ok) return;
    showNotice(t('tasks.branchDiscarded', { branch }));
    onClose();
  };
  return (
    <Dialog title={t('tasks.discardTitle')} onClose={onClose}>
      <p>{t('tasks.discardMeans', { branch })}</p>
      <ErrorNote error={discard.error} />
      <footer className="dialog-foot">
        <button type="button" className="button" onClick={onClose}>
          {t('parts.cancel')}
        </button>
        <button type="button" className="button is-danger" disabled={discard.busy} onClick={() => void run()}>
          {t('tasks.discardNow')}
        </button>
      </footer>
    </Dialog>
  );
}
