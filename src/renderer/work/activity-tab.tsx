import { t } from '../../language/texts.ts';
import { Segments } from '../parts/segments.tsx';
import { ProcessList } from '../processes/process-list.tsx';
import { DoctorCard } from '../settings/doctor-card.tsx';
import { go } from '../state/route.ts';
import { LogView } from './log-view.tsx';
import { TurnsList } from './turns-list.tsx';
import { type ActivityPart, activityParts } from './work-address.ts';

/** Turns of all agents, the log of Kennel, the programs that run, and the check-up. */
export function ActivityTab({ part }: { part: ActivityPart }) {
  return (
    <>
      <div className="activity-parts">
        <Segments
          label={t('work.activity')}
          value={part}
          options={activityParts.map((one) => [one, t(`work.${one}`)] as const)}
          onChange={(next: ActivityPart) => go({ view: 'work', place: next })}
        />
      </div>
      {part === 'turns' && <TurnsList />}
      {part === 'log' && <LogView />}
      {part === 'processes' && (
        <div className="stack">
          <p className="soft">{t('processes.lead')}</p>
          <ProcessList />
        </div>
      )}
      {part === 'diagnostics' && <DoctorCard />}
    </>
  );
}
