import { useMemo, useState } from 'react';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { type FieldProblem, readForm, type Typed } from '../forms/read-form.ts';
import { isObject } from '../forms/schema-fields.ts';
import { SchemaForm } from '../forms/schema-form.tsx';
import { AreaField, ChoiceField } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Segments } from '../parts/segments.tsx';
import { PlanFields } from '../tasks/plan-fields.tsx';
import { useAgentNames, useRoomNames } from '../work/turn-filter.tsx';
import { argumentFields } from '../workflows/argument-fields.ts';
import { useWorkflowFiles } from '../workflows/use-files.ts';
import type { ScheduleDraft } from './draft.ts';

interface FieldsOf {
  readonly draft: ScheduleDraft;
  onChange(part: Partial<ScheduleDraft>): void;
}

interface StartsOf extends FieldsOf {
  /** The schedule is not saved yet. */
  readonly isNew: boolean;
}

/** Target of a schedule: a task in plain language, or a workflow with arguments. */
export function StartsFields({ draft, isNew, onChange }: StartsOf) {
  return (
    <fieldset className="schedule-part">
      <legend>{t('schedules.starts')}</legend>
      <Segments
        label={t('schedules.starts')}
        value={draft.starts}
        options={[
          ['task', t('schedules.aTask')],
          ['workflow', t('schedules.aWorkflow')],
        ]}
        onChange={(starts) => onChange({ starts })}
      />
      {draft.starts === 'task' ? (
        <TaskFields draft={draft} isNew={isNew} onChange={onChange} />
      ) : (
        <WorkflowFields draft={draft} onChange={onChange} />
      )}
    </fieldset>
  );
}

function TaskFields({ draft, isNew, onChange }: StartsOf) {
  const agents = useAgentNames();
  const rooms = useRoomNames();
  const [more, setMore] = useState(false);
  return (
    <>
      <AreaField
        label={t('tasks.goal')}
        rows={3}
        dir="auto"
        maxLength={50_000}
        placeholder={t('tasks.goalHint')}
        value={draft.goal}
        onChange={(event) => onChange({ goal: event.target.value })}
        hint={draft.when === 'file' ? t('schedules.pathHint', { open: '{{', close: '}}' }) : undefined}
      />
      <ChoiceField
        label={t('tasks.doer')}
        value={draft.agent}
        options={[['', t('tasks.anyAgent')], ...agents]}
        onChange={(agent) => onChange({ agent })}
      />
      <div>
        <button type="button" className="link" aria-expanded={more} onClick={() => setMore(!more)}>
          {more ? t('tasks.lessOptions') : t('schedules.moreOptions')}
        </button>
      </div>
      {more && (
        <PlanFields
          plan={draft.plan}
          withDue={false}
          isNew={isNew}
          onChange={(part) => onChange({ plan: { ...draft.plan, ...part } })}
        >
          <ChoiceField
            label={t('tasks.room')}
            value={draft.room}
            options={[['', t('tasks.noRoom')], ...rooms]}
            onChange={(room) => onChange({ room })}
          />
        </PlanFields>
      )}
    </>
  );
}

function WorkflowFields({ draft, onChange }: FieldsOf) {
  const { listing, error } = useWorkflowFiles();
  const files = listing?.files ?? [];
  const chosen = files.find(({ path }) => path === draft.file);
  const known = chosen !== undefined || draft.file === '';
  return (
    <>
      <ErrorNote error={error} />
      <ChoiceField
        label={t('schedules.file')}
        value={draft.file}
        options={[
          ['', t('schedules.chooseFile')],
          ...(known ? [] : [[draft.file, visibleLine(draft.file)] as const]),
          ...files.map(({ path, name }) => [path, visibleLine(name === '' ? path : name)] as const),
        ]}
        onChange={(file) => onChange({ file, args: {} })}
        hint={listing !== null && files.length === 0 ? t('schedules.noFiles') : undefined}
      />
      {chosen !== undefined && chosen.errors > 0 && <p className="fine">{t('schedules.fileWrong')}</p>}
      {chosen !== undefined && (
        <Arguments key={chosen.path} draft={draft} onChange={onChange} args={chosen.args} />
      )}
    </>
  );
}

interface ArgumentsOf extends FieldsOf {
  readonly args: Parameters<typeof argumentFields>[0];
}

/** Typed argument fields, prefilled with the schedule's current values. */
function Arguments({ draft, onChange, args }: ArgumentsOf) {
  const [before] = useState(draft.args);
  const fields = useMemo(
    () =>
      argumentFields(
        args.map((arg) =>
          Object.hasOwn(before, arg.name) ? { ...arg, defaultJson: JSON.stringify(before[arg.name]) } : arg,
        ),
      ),
    [args, before],
  );
  const [typed, setTyped] = useState<Typed>({});
  const [problems, setProblems] = useState<Readonly<Record<string, FieldProblem>>>({});
  const change = (next: Typed): void => {
    setTyped(next);
    const read = readForm(fields, next);
    setProblems(read.problems);
    onChange({ args: isObject(read.value) ? { ...read.value } : {} });
  };
  if (fields.length === 0) return null;
  return <SchemaForm fields={fields} typed={typed} problems={problems} onChange={change} />;
}
