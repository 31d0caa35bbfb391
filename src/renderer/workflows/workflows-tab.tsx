import { t } from '../../language/texts.ts';
import { Empty } from '../parts/empty.tsx';

/** Workflow files and their runs. */
export function WorkflowsTab() {
  return <Empty title={t('work.workflows')} />;
}
