import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { ScheduleView } from '../../contract/schedule-methods.ts';
import type { HostText } from '../../language/host-message.ts';
import { localize, t } from '../../language/texts.ts';
import { byWords } from '../format/order.ts';
import { Icon } from '../mark/icon.tsx';
import { Empty } from '../parts/empty.tsx';
import { Note } from '../parts/notes.tsx';
import { useReplica } from '../state/subscriptions.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { ScheduleItem } from './schedule-row.tsx';

export function SchedulesTab() {
  const { schedules, ended } = useSchedules();
  /** `new`, or the edited schedule. */
  const [open, setOpen] = useState<'new' | ScheduleView | null>(null);
  const create = (
    <button type="button" className="button is-primary" onClick={() => setOpen('new')}>
      <Icon name="plus" size={16} /> {t('schedules.new')}
    </button>
  );
  return (
    <div className="stack">
      {schedules === null && ended === null && <Skeleton />}
      {schedules === null && ended !== null && (
        <div role="alert">
          <Note tone="warning">
            <p>{t('schedules.unreadable', { why: localize(ended) })}</p>
            <p className="note-hint">{t('tasks.triesAgain')}</p>
          </Note>
        </div>
      )}
      {schedules?.length === 0 && (
        <Empty title={t('schedules.emptyTitle')}>
          <p>{t('schedules.empty')}</p>
          {create}
        </Empty>
      )}
      {schedules !== null && schedules.length > 0 && (
        <>
          <div>{create}</div>
          <ul className="card rows-card" aria-label={t('schedules.list')}>
            {schedules.map((schedule) => (
              <ScheduleItem key={schedule.id} schedule={schedule} onEdit={() => setOpen(schedule)} />
            ))}
          </ul>
        </>
      )}
      {open !== null && (
        <ScheduleDialog schedule={open === 'new' ? null : open} onClose={() => setOpen(null)} />
      )}
    </div>
  );
}

/** Has the height of a schedule row, so that the layout does not shift. */
function Skeleton() {
  return (
    <div className="card rows-card" role="status">
      <span className="visually-hidden">{t('schedules.reading')}</span>
      {[0, 1, 2].map((row) => (
        <div key={row} className="schedule is-skeleton" aria-hidden="true" />
      ))}
    </div>
  );
}

interface Schedules {
  /** `null` until the host has sent them. */
  readonly schedules: readonly ScheduleView[] | null;
  /** Why the topic ended, or `null`. */
  readonly ended: HostText | null;
}

/** Subscribes to the schedules while mounted and sorts them by name. */
function useSchedules(): Schedules {
  const { schedules: topic } = useReplica();
  useEffect(() => topic.use(), [topic]);
  const all = useStore(topic.store, ({ state }) => state?.schedules ?? null);
  const ended = useStore(topic.store, (value) => value.ended);
  const schedules = useMemo(
    () => (all === null ? null : Object.values(all).sort((a, b) => byWords(a.name, b.name))),
    [all],
  );
  return { schedules, ended };
}
