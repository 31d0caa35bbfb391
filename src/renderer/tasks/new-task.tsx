import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { t } from '../../language/texts.ts';
import { AreaField, ChoiceField } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { keepUnsent, showNotice, useScreen } from '../state/screen.ts';
import { useAgent, useLine } from '../state/subscriptions.ts';
import { visibleLine } from '../words/visible-text.ts';
import { useAgentNames, useRoomNames } from '../work/turn-filter.tsx';
import { takeAskedTask, useAskedTask } from './ask-task.ts';
import { newPlan, planOf } from './plan.ts';
import { PlanFields } from './plan-fields.tsx';

const mostLetters = 50_000;
/** Key of the unsent text in the same store as that of rooms. */
const place = 'new-task';

/** Form for a goal and its agent, with further fields on demand. The text stays if adding fails. */
export function NewTaskDialog({ agent = '' }: { agent?: string }) {
  const goal = useScreen((screen) => screen.unsent[place] ?? '');
  const [doer, setDoer] = useState(agent);
  const [plan, setPlan] = useState(planOf);
  const [room, setRoom] = useState('');
  const [more, setMore] = useState(false);
  const add = useAction('tasks.add');
  const area = useFocusWhenAsked();
  const agents = useAgentNames();
  const up = useLine() === 'up';
  const text = goal.trim();
  const submit = async (): Promise<void> => {
    if (text === '' || add.busy || !up) return;
    const result = await add.run({
      goal: text,
      ...(doer === '' ? {} : { agent: doer }),
      ...newPlan(plan),
      ...(room === '' ? {} : { room }),
    });
    if (!result.ok) return;
    showNotice(t('tasks.added', { number: String(result.value.task.id) }));
    if ((useScreen.getState().unsent[place] ?? '').trim() === text) keepUnsent(place, '');
    setPlan((old) => planOf({ project: old.project }));
    area.current?.querySelector('textarea')?.focus();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void submit();
  };
  return (
    <form
      className="card new-task"
      ref={area}
      aria-label={t('tasks.newTask')}
      onKeyDown={onKey}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void submit();
      }}
    >
      <AreaField
        label={t('tasks.goal')}
        rows={2}
        dir="auto"
        maxLength={mostLetters}
        placeholder={t('tasks.goalHint')}
        value={goal}
        onChange={(event) => keepUnsent(place, event.target.value)}
      />
      <div className="new-task-line">
        <ChoiceField
          label={t('tasks.doer')}
          value={doer}
          options={[['', t('tasks.anyAgent')], ...agents]}
          onChange={setDoer}
        />
        <button type="button" className="link" aria-expanded={more} onClick={() => setMore(!more)}>
          {more ? t('tasks.lessOptions') : t('tasks.moreOptions')}
        </button>
        <span className="spacer" />
        <span className="fine new-task-keys">{t('tasks.keys')}</span>
        <button type="submit" className="button is-primary" disabled={text === '' || add.busy || !up}>
          {add.busy ? t('tasks.adding') : t('tasks.add')}
        </button>
      </div>
      {more && (
        <PlanFields plan={plan} isNew onChange={(part) => setPlan((old) => ({ ...old, ...part }))}>
          <RoomField room={room} onChange={setRoom} />
        </PlanFields>
      )}
      <DoerNote id={doer} />
      <ErrorNote error={add.error}>
        <p className="note-hint">{t('tasks.goalKept')}</p>
      </ErrorNote>
      {!up && <p className="fine">{t('tasks.offline')}</p>}
    </form>
  );
}

function RoomField({ room, onChange }: { room: string; onChange(room: string): void }) {
  const rooms = useRoomNames();
  return (
    <ChoiceField
      label={t('tasks.room')}
      value={room}
      options={[['', t('tasks.noRoom')], ...rooms]}
      onChange={onChange}
    />
  );
}

/** Focuses the form when a command from another page opened it. */
function useFocusWhenAsked() {
  const area = useRef<HTMLFormElement>(null);
  const asked = useAskedTask();
  useEffect(() => {
    if (!asked) return;
    takeAskedTask();
    area.current?.querySelector('textarea')?.focus();
  }, [asked]);
  return area;
}

/** Warns that the chosen agent is not running and cannot start the task. */
function DoerNote({ id }: { id: string }) {
  const agent = useAgent(id);
  if (agent === null || agent.life === 'running') return null;
  return <p className="fine">{t('tasks.doerRests', { name: visibleLine(agent.displayName) })}</p>;
}
