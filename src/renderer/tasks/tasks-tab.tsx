import { t } from '../../language/texts.ts';
import { Empty } from '../parts/empty.tsx';

/** What agents are to do without being talked to. */
export function TasksTab() {
  return (
    <Empty title={t('tasks.emptyTitle')}>
      <p>{t('tasks.empty')}</p>
    </Empty>
  );
}
