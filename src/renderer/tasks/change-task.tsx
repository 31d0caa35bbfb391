import { type FormEvent, useState } from 'react';
import type { TaskSummary } from '../../contract/task-methods.ts';
import { t } from '../../language/texts.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { useAction } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { wholePlan } from './plan.ts';
import { PlanFields, planFrom } from './plan-fields.tsx';

/** Edits project, priority, due time and limits of a task that no worker is running. */
export function ChangeTask({ task, onClose }: { task: TaskSummary; onClose(): void }) {
  const [plan, setPlan] = useState(() => planFrom(task));
  const amend = useAction('tasks.amend');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const changed = await amend.run({ task: task.id, ...wholePlan(plan) });
    if (!changed.ok) return;
    showNotice(t('tasks.changed'));
    onClose();
  };
  return (
    <Dialog title={t('tasks.changeTitle', { number: String(task.id) })} onClose={onClose}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        {task.status === 'running' && <p className="soft">{t('tasks.pauseFirst')}</p>}
        <PlanFields plan={plan} onChange={(part) => setPlan((old) => ({ ...old, ...part }))} />
        <FormFoot action={amend} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
