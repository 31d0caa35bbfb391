import { useState } from 'react';
import { Tabs } from '../parts/tabs.tsx';
import { useAsked } from '../state/asked.ts';
import { plural } from '../words/amounts.ts';
import { Grants } from './grants.tsx';
import { History } from './history.tsx';
import { Waiting } from './waiting.tsx';

type Tab = 'waiting' | 'history' | 'grants';

/** What agents ask, what was answered, and what may happen without asking. */
export function Inbox({ shown }: { shown: string | null }) {
  const [tab, setTab] = useState<Tab>('waiting');
  const count = useAsked().length;
  const tabs: readonly (readonly [Tab, string])[] = [
    ['waiting', count === 0 ? 'Waiting' : `Waiting (${count})`],
    ['history', 'History'],
    ['grants', 'Standing permissions'],
  ];
  return (
    <div className="page inbox">
      <header className="page-head">
        <div>
          <h1>Inbox</h1>
          <p className="soft">
            {count === 0 ? 'No agent waits for an answer.' : `${plural(count, 'question')} from your agents.`}
          </p>
        </div>
      </header>
      <Tabs label="Inbox" value={tab} tabs={tabs} onChange={(next: Tab) => setTab(next)}>
        {tab === 'waiting' && <Waiting wanted={shown} />}
        {tab === 'history' && <History />}
        {tab === 'grants' && <Grants />}
      </Tabs>
    </div>
  );
}
