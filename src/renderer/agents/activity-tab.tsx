import { useState } from 'react';
import type { AgentSummary } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { Segments } from '../parts/segments.tsx';
import { UsagePanel } from '../usage/usage-panel.tsx';
import { LogView } from '../work/log-view.tsx';
import { TurnsList } from '../work/turns-list.tsx';
import { AgentTasksTab } from './tasks-tab.tsx';

type Part = 'turns' | 'tasks' | 'usage' | 'log';

/** Everything that the agent did: its turns, tasks, cost and log. */
export function AgentActivityTab({ agent }: { agent: AgentSummary }) {
  const [part, setPart] = useState<Part>('turns');
  return (
    <div className="stack agent-logs">
      <Segments
        label={t('agents.activity')}
        value={part}
        options={[
          ['turns', t('work.turns')],
          ['tasks', t('agents.tasks')],
          ['usage', t('agents.usage')],
          ['log', t('work.log')],
        ]}
        onChange={(next: Part) => setPart(next)}
      />
      {part === 'turns' && <TurnsList agent={agent.id} />}
      {part === 'tasks' && <AgentTasksTab agent={agent.id} />}
      {part === 'usage' && <UsagePanel agent={agent.id} spent={agent.spentToday.tokens} />}
      {part === 'log' && <LogView agent={agent.id} />}
    </div>
  );
}
