import { useId } from 'react';
import type { TaskStepView, TaskSummary } from '../../contract/task-methods.ts';
import { t } from '../../language/texts.ts';
import { StateDot } from '../mark/dot.tsx';
import { ExactText } from '../parts/exact-text.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { speak } from '../state/screen.ts';

interface SettleOf {
  readonly task: TaskSummary;
  readonly number: number;
  readonly step: TaskStepView | undefined;
}

/** Asks the operator whether a step that a crash interrupted took effect. */
export function SettleStep({ task, number, step }: SettleOf) {
  const id = useId();
  const settle = useAction('tasks.settle');
  const say = async (happened: 'yes' | 'no'): Promise<void> => {
    const done = await settle.run({ task: task.id, step: number, happened });
    if (done.ok) speak(t('tasks.settled'));
  };
  return (
    <section className="ask" aria-labelledby={id}>
      <header className="ask-head">
        <StateDot state="needs_you" size={14} label="" />
        <h2 id={id} className="ask-title">
          {t('tasks.settleTitle', { step: number })}
        </h2>
      </header>
      {step !== undefined && (
        <pre className="ask-preview">
          <ExactText text={step.action} />
        </pre>
      )}
      <p>{t('tasks.settle')}</p>
      <ErrorNote error={settle.error} />
      <div className="ask-buttons">
        {(['no', 'yes'] as const).map((happened) => (
          <button
            key={happened}
            type="button"
            className="button"
            disabled={settle.busy}
            onClick={() => void say(happened)}
          >
            {t(happened === 'yes' ? 'tasks.settleYes' : 'tasks.settleNo')}
          </button>
        ))}
      </div>
    </section>
  );
}
