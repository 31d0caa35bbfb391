import { t } from '../../language/texts.ts';
import { Tabs } from '../parts/tabs.tsx';
import { SchedulesTab } from '../schedules/schedules-tab.tsx';
import { go } from '../state/route.ts';
import { TaskPage } from '../tasks/task-page.tsx';
import { TasksTab } from '../tasks/tasks-tab.tsx';
import { WorkflowRoute } from '../workflows/workflow-route.tsx';
import { WorkflowsTab } from '../workflows/workflows-tab.tsx';
import { ActivityTab } from './activity-tab.tsx';
import { TurnPage } from './turn-page.tsx';
import { type ActivityPart, tabPlace, type WorkTab, workPlace, workTabs } from './work-address.ts';

export function WorkPage({ place }: { place: string | null }) {
  const at = workPlace(place);
  switch (at.kind) {
    case 'tab':
      return <WorkTabs tab={at.tab} />;
    case 'activity':
      return <WorkTabs tab="activity" part={at.part} />;
    case 'task':
      return <TaskPage key={at.task} number={at.task} />;
    case 'workflow':
      return <WorkflowRoute key={at.place} place={at.place} />;
    case 'turn':
      return <TurnPage key={at.turn} id={at.turn} />;
  }
}

function WorkTabs({ tab, part = 'turns' }: { tab: WorkTab; part?: ActivityPart }) {
  return (
    <div className={`page work${tab === 'activity' && part === 'log' ? ' is-log' : ''}`}>
      <header className="page-head">
        <div>
          <h1>{t('work.title')}</h1>
          <p className="soft">{t('work.lead')}</p>
        </div>
      </header>
      <Tabs
        label={t('work.title')}
        value={tab}
        tabs={workTabs.map((one) => [one, t(`work.${one}`)] as const)}
        onChange={(next: WorkTab) => go({ view: 'work', place: tabPlace(next) })}
      >
        {tab === 'tasks' && <TasksTab />}
        {tab === 'schedules' && <SchedulesTab />}
        {tab === 'workflows' && <WorkflowsTab />}
        {tab === 'activity' && <ActivityTab part={part} />}
      </Tabs>
    </div>
  );
}
