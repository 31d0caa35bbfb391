/** Loads the editor of workflow texts in its own chunk. */
import { t } from '../../language/texts.ts';
import { latePart } from '../lazy/lazy-part.tsx';
import { PartMissing } from '../lazy/part-missing.tsx';
import type { WaitingOf } from '../lazy/waiting.tsx';
import { Skeleton } from '../parts/skeleton.tsx';

const Waiting = ({ missing }: WaitingOf) => (
  <div className="editor">
    {missing ? <PartMissing /> : <Skeleton words={t('workflows.loadingEditor')} shape="text" count={8} />}
  </div>
);

export const WorkflowEditor = latePart(
  async () => (await import('./editor/code-editor.tsx')).CodeEditor,
  Waiting,
);
