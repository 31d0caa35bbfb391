import { useMemo } from 'react';
import { t } from '../../language/texts.ts';
import { allTasks } from '../tasks/board-state.ts';
import { TaskComposer } from '../tasks/task-composer.tsx';
import { FoundTasks } from '../tasks/task-history.tsx';

export function AgentTasksTab({ agent }: { agent: string }) {
  const wanted = useMemo(() => ({ ...allTasks, agent, status: '' as const }), [agent]);
  return (
    <div className="stack">
      <TaskComposer agent={agent} />
      <FoundTasks wanted={wanted} label={t('tasks.ofAgentList')} none={t('tasks.ofAgentNone')} />
    </div>
  );
}
