import { t } from '../../language/texts.ts';
import { Empty } from '../parts/empty.tsx';

/** One task: what it is about, how it goes, and what came of it. */
export function TaskPage({ number }: { number: number }) {
  return <Empty title={t('tasks.named', { number: String(number) })} />;
}
