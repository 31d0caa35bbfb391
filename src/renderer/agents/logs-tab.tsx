import { useState } from 'react';
import { t } from '../../language/texts.ts';
import { Segments } from '../parts/segments.tsx';
import { LogView } from '../work/log-view.tsx';
import { TurnsList } from '../work/turns-list.tsx';

type Part = 'turns' | 'log';

export function LogsTab({ agent }: { agent: string }) {
  const [part, setPart] = useState<Part>('turns');
  return (
    <div className="stack agent-logs">
      <Segments
        label={t('agents.logs')}
        value={part}
        options={[
          ['turns', t('work.turns')],
          ['log', t('work.log')],
        ]}
        onChange={(next: Part) => setPart(next)}
      />
      {part === 'turns' ? <TurnsList agent={agent} /> : <LogView agent={agent} />}
    </div>
  );
}
