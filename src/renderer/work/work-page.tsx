import { t } from '../../language/texts.ts';
import { Tabs } from '../parts/tabs.tsx';
import { go } from '../state/route.ts';
import { LogView } from './log-view.tsx';
import { TurnPage } from './turn-page.tsx';
import { TurnsList } from './turns-list.tsx';

type Tab = 'turns' | 'log';

/** What agents did, and what the host wrote down. `place`: a turn, `log`, or null for the list. */
export function WorkPage({ place }: { place: string | null }) {
  if (place !== null && place !== 'log') return <TurnPage key={place} id={place} />;
  const tab: Tab = place === null ? 'turns' : 'log';
  return (
    <div className={`page work${tab === 'log' ? ' is-log' : ''}`}>
      <header className="page-head">
        <div>
          <h1>{t('work.title')}</h1>
          <p className="soft">{t('work.lead')}</p>
        </div>
      </header>
      <Tabs
        label={t('work.title')}
        value={tab}
        tabs={[
          ['turns', t('work.turns')],
          ['log', t('work.log')],
        ]}
        onChange={(next: Tab) => go({ view: 'work', place: next === 'turns' ? null : next })}
      >
        {tab === 'turns' ? <TurnsList /> : <LogView />}
      </Tabs>
    </div>
  );
}
