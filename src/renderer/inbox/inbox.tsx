import { useState } from 'react';
import { t } from '../../language/texts.ts';
import { Tabs } from '../parts/tabs.tsx';
import { useQueueLength } from '../state/queue.ts';
import { Grants } from './grants.tsx';
import { History } from './history.tsx';
import { Waiting } from './waiting.tsx';

type Tab = 'waiting' | 'history' | 'grants';

export function Inbox({ shown }: { shown: string | null }) {
  const [tab, setTab] = useState<Tab>('waiting');
  const count = useQueueLength();
  const tabs: readonly (readonly [Tab, string])[] = [
    ['waiting', count === 0 ? t('inbox.waiting') : t('inbox.waitingCount', { n: count })],
    ['history', t('inbox.history')],
    ['grants', t('inbox.grants')],
  ];
  return (
    <div className="page inbox">
      <header className="page-head">
        <div>
          <h1>{t('inbox.title')}</h1>
          <p className="soft">{count === 0 ? t('inbox.none') : t('inbox.count', { n: count })}</p>
        </div>
      </header>
      <Tabs label={t('inbox.title')} value={tab} tabs={tabs} onChange={(next: Tab) => setTab(next)}>
        {tab === 'waiting' && <Waiting wanted={shown} />}
        {tab === 'history' && <History />}
        {tab === 'grants' && <Grants />}
      </Tabs>
    </div>
  );
}
