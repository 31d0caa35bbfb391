import { t } from '../../language/texts.ts';
import { Empty } from '../parts/empty.tsx';

/** What starts by itself. */
export function SchedulesTab() {
  return (
    <Empty title={t('schedules.emptyTitle')}>
      <p>{t('schedules.empty')}</p>
    </Empty>
  );
}
