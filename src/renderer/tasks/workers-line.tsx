import { useState } from 'react';
import type { TaskSummary, TaskWorkers } from '../../contract/task-methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { StateDot } from '../mark/dot.tsx';
import { useNow } from '../parts/time.tsx';
import { useAtWork, useTasks } from './use-tasks.ts';
import { WorkersDialog } from './workers-dialog.tsx';

/** Busy workers and waiting tasks, which explains why a task has not started. */
export function WorkersLine() {
  const workers = useAtWork();
  const tasks = useTasks();
  const now = useNow();
  const [asking, setAsking] = useState(false);
  if (workers === null) return <p className="workers-line fine">{t('tasks.reading')}</p>;
  const busy = workers.workers.filter(({ task }) => task !== null).length;
  return (
    <div className="workers-line">
      <p role="status">
        <StateDot state={busy > 0 ? 'working' : 'idle'} size={11} label="" />{' '}
        {workers.workers.length === 0
          ? t('tasks.noWorkers')
          : t('tasks.busy', { busy, total: workers.workers.length })}
        {workers.forWorker > 0 && <> {t('tasks.forWorker', { n: workers.forWorker })}</>}
        {workers.forAgent > 0 && <> {forAgent(workers, tasks ?? [], now)}</>}
      </p>
      <button type="button" className="link" onClick={() => setAsking(true)}>
        {t('tasks.changeWorkers')}
      </button>
      {asking && <WorkersDialog workers={workers.workers.length} onClose={() => setAsking(false)} />}
    </div>
  );
}

/** Names the agent that tasks wait for, if it is only one. */
function forAgent({ forAgent: n }: TaskWorkers, tasks: readonly TaskSummary[], now: number): string {
  const waiting = tasks.filter(
    ({ status, agentId, dueAt }) =>
      status === 'pending' && agentId !== null && (dueAt === null || dueAt <= now),
  );
  const names = new Set(waiting.map(({ agentName }) => agentName));
  const [name] = names;
  return names.size === 1 && name !== undefined
    ? t('tasks.forOneAgent', { n, name: visibleLine(name) })
    : t('tasks.forAgents', { n });
}
