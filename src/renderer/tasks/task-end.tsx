import { useState } from 'react';
import { isBeginning } from '../../contract/task-excerpt.ts';
import type { TaskSummary } from '../../contract/task-methods.ts';
import { localize, t } from '../../language/texts.ts';
import { visibleBody } from '../format/visible-text.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { lookOf } from './task-state-text.ts';

export function TaskEnd({ task }: { task: TaskSummary }) {
  if (task.status === 'done') return <Result task={task} />;
  if (task.status !== 'error' || task.failure === null) return null;
  const { kind, message } = task.failure;
  return (
    <section
      className={`note ${lookOf(task) === 'cancelled' ? 'is-plain' : 'is-error'} task-failure`}
      aria-labelledby="task-failure"
    >
      <div>
        <h2 id="task-failure">{t('tasks.failure')}</h2>
        <p className="task-text">
          <bdi>{visibleBody(localize(message))}</bdi>
        </p>
        <p className="note-hint">{t(`tasks.next_${kind}`)}</p>
      </div>
    </section>
  );
}

function Result({ task }: { task: TaskSummary }) {
  const get = useAction('tasks.get');
  const [whole, setWhole] = useState<string | null>(null);
  const text = whole ?? task.result ?? '';
  const cut = whole === null && isBeginning(text);
  const all = async (): Promise<void> => {
    const found = await get.run({ task: task.id });
    if (found.ok) setWhole(found.value.result ?? '');
  };
  return (
    <section className="card stack task-result" aria-labelledby="task-result">
      <header className="card-head">
        <h2 id="task-result">{t('tasks.result')}</h2>
        {text !== '' && <CopyButton label={t('tasks.copyResult')} text={text} />}
      </header>
      {text === '' ? <p className="soft">{t('tasks.noResult')}</p> : <Markdown text={text} />}
      <ErrorNote error={get.error} />
      {cut && (
        <div>
          <button type="button" className="button is-small" disabled={get.busy} onClick={() => void all()}>
            {t('tasks.showWhole')}
          </button>
        </div>
      )}
    </section>
  );
}
