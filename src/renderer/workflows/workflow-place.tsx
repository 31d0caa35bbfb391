import { t } from '../../language/texts.ts';
import { Empty } from '../parts/empty.tsx';

/** One workflow file, `workflow:<file>`, or one run, `run:<id>`. */
export function WorkflowPlace({ place }: { place: string }) {
  return <Empty title={t('work.workflows')}>{place}</Empty>;
}
