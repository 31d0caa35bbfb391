import { useMemo } from 'react';
import { t } from '../../language/texts.ts';
import { allTasks } from '../tasks/board-state.ts';
import { NewTask } from '../tasks/new-task.tsx';
import { FoundTasks } from '../tasks/task-history.tsx';

export function TasksTab({ agent }: { agent: string }) {
  const wanted = useMemo(() => ({ ...allTasks, agent, status: '' as const }), [agent]);
  return (
    <div className="stack">
      <NewTask agent={agent} />
      <FoundTasks wanted={wanted} label={t('tasks.ofAgentList')} none={t('tasks.ofAgentNone')} />
    </div>
  );
}
