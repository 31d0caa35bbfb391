import { type ReactNode, useId } from 'react';
import type { TaskSummary } from '../../contract/task-methods.ts';
import { t } from '../../language/texts.ts';
import { ChoiceField, Field } from '../parts/field.tsx';
import { localInput, type Plan, planOf } from './plan.ts';
import { priorities, priorityName } from './task-state-text.ts';
import { useProjects } from './use-tasks.ts';

interface FieldsOf {
  readonly plan: Plan;
  /** False hides the due time, because a schedule has its own. */
  readonly withDue?: boolean;
  /** A new task or schedule, whose empty step limit means the default. */
  readonly isNew?: boolean;
  onChange(part: Partial<Plan>): void;
  readonly children?: ReactNode;
}

export function PlanFields({ plan, withDue = true, isNew = false, onChange, children }: FieldsOf) {
  const list = useId();
  const projects = useProjects();
  const known = priorities.map(String);
  const levels = known.includes(plan.priority) ? known : [plan.priority, ...known];
  return (
    <div className="plan-fields">
      <Field
        label={t('tasks.project')}
        maxLength={100}
        list={list}
        value={plan.project}
        onChange={(event) => onChange({ project: event.target.value })}
      />
      <datalist id={list}>
        {projects.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <ChoiceField
        label={t('tasks.priority')}
        value={plan.priority}
        options={levels.map((level) => [level, priorityName(Number(level))] as const)}
        onChange={(priority) => onChange({ priority })}
      />
      {withDue && (
        <Field
          label={t('tasks.due')}
          type="datetime-local"
          value={plan.due}
          onChange={(event) => onChange({ due: event.target.value })}
        />
      )}
      {(['steps', 'tokens', 'usd'] as const).map((limit) => (
        <Field
          key={limit}
          label={t(`tasks.limit_${limit}`)}
          type="number"
          min={limit === 'usd' ? 0.01 : 1}
          step={limit === 'usd' ? 0.01 : 1}
          placeholder={t(isNew && limit === 'steps' ? 'tasks.usualLimit' : 'tasks.noLimit')}
          value={plan[limit]}
          onChange={(event) => onChange({ [limit]: event.target.value })}
        />
      ))}
      {children}
    </div>
  );
}

/** Fills the form from an existing task. */
export const planFrom = (task: Pick<TaskSummary, 'project' | 'priority' | 'dueAt' | 'budget'>): Plan =>
  planOf({
    project: task.project ?? '',
    priority: String(task.priority),
    due: task.dueAt === null ? '' : localInput(task.dueAt),
    steps: String(task.budget.steps ?? ''),
    tokens: String(task.budget.tokens ?? ''),
    usd: String(task.budget.usd ?? ''),
  });
