import { useState } from 'react';
import { spendWords } from '../../language/money.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { useQueue } from '../state/queue.ts';
import { useAgents, useHost } from '../state/subscriptions.ts';
import { Away } from './away-summary.tsx';
import { Costs } from './costs.tsx';
import { NeedsYou } from './needs-you.tsx';
import { Happened } from './recent-activity.tsx';
import { Running } from './running.tsx';
import { StartHere } from './start-here.tsx';

export function Home() {
  const queue = useQueue();
  const count = queue.length;
  // The list stays first after the last answer, so that the layout does not shift under the pointer.
  const [called, setCalled] = useState(false);
  if (count > 0 && !called) setCalled(true);
  const working = useAgents(
    (agents) => Object.values(agents ?? {}).filter((one) => one.dot === 'working').length,
  );
  const total = useAgents((agents) => Object.keys(agents ?? {}).length);
  const name = useHost((host) => host?.operator?.displayName ?? '');
  const spent = useHost((host) => host?.spentToday ?? null);
  return (
    <div className="page home">
      <header className="page-head">
        <div>
          <h1>{greeting(name)}</h1>
          <p className="soft">
            {t('home.summary', { waiting: count, total, working })}
            {spent !== null && ` ${t('home.todayCost', { cost: spendWords(spent) })}`}
          </p>
        </div>
      </header>
      <div className="home-grid">
        {!called && <StartHere />}
        <NeedsYou queue={queue} />
        <Away />
        {called && <StartHere />}
        <Running />
        <div className="home-column">
          <Costs />
          <Happened />
        </div>
      </div>
    </div>
  );
}

function partOfDay(hour: number): string {
  if (hour < 5) return t('home.night');
  if (hour < 12) return t('home.morning');
  return hour < 18 ? t('home.afternoon') : t('home.evening');
}

/** Omits the name if it is empty or the default "You". */
function greeting(name: string): string {
  const part = partOfDay(new Date().getHours());
  const known = name !== '' && name.toLowerCase() !== 'you';
  return known ? t('home.greeting', { part, name: visibleLine(name) }) : part;
}
