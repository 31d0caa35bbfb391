import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { t } from '../../language/texts.ts';
import { AmbiguousNames, MentionMenu, useMentions } from '../chat/mention-suggestions.tsx';
import { visibleLine } from '../format/visible-text.ts';
import { ChoiceField } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAgents } from '../state/subscriptions.ts';
import { useAgentNames, useRoomNames } from '../work/turn-filter.tsx';
import { takeAskedTask, useAskedTask } from './ask-task.ts';
import { PlanFields } from './plan-fields.tsx';
import { useNewTask, type WorktreeChoice } from './use-new-task.ts';

const mostLetters = 50_000;

type NewTask = ReturnType<typeof useNewTask>;

/** One line that adds a task: `@` names its agent, Enter adds it, further fields open on demand. */
export function TaskComposer({ agent = '' }: { agent?: string }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [chosen, setChosen] = useState(agent);
  const task = useNewTask(chosen, area);
  const [more, setMore] = useState(false);
  useFocusWhenAsked(area);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.defaultPrevented) return;
    // In the line, Shift+Enter begins a new one. Ctrl+Enter adds the task from any other field.
    const adds = event.target === area.current ? !event.shiftKey : event.ctrlKey || event.metaKey;
    if (!adds) return;
    event.preventDefault();
    void task.submit();
  };
  return (
    <form
      className="card task-composer"
      aria-label={t('tasks.newTask')}
      onKeyDown={onKey}
      onSubmit={(event) => {
        event.preventDefault();
        void task.submit();
      }}
    >
      <TaskLine task={task} area={area} />
      <AmbiguousNames room={task.nameable} text={task.text} />
      <div className="task-line-foot fine">
        <DoerText id={task.doer} />
        <button type="button" className="link" aria-expanded={more} onClick={() => setMore(!more)}>
          {more ? t('tasks.lessOptions') : t('tasks.moreOptions')}
        </button>
        <span className="task-keys">{t('tasks.keys')}</span>
      </div>
      {more && <MoreFields task={task} onDoer={setChosen} />}
      <ErrorNote error={task.add.error}>
        <p className="note-hint">{t('tasks.goalKept')}</p>
      </ErrorNote>
      {!task.up && <p className="fine">{t('tasks.offline')}</p>}
    </form>
  );
}

interface LineOf {
  readonly task: NewTask;
  readonly area: RefObject<HTMLTextAreaElement | null>;
}

function TaskLine({ task, area }: LineOf) {
  const mentions = useMentions(task.nameable, task.text, task.setText, area);
  return (
    <div className="task-line">
      <MentionMenu mentions={mentions} />
      <textarea
        ref={area}
        rows={1}
        dir="auto"
        maxLength={mostLetters}
        placeholder={t('tasks.goal')}
        aria-label={t('tasks.goal')}
        aria-autocomplete="list"
        aria-controls={mentions.open ? mentions.id : undefined}
        aria-activedescendant={mentions.open ? `${mentions.id}-${mentions.at}` : undefined}
        value={task.text}
        onChange={(event) => {
          task.setText(event.target.value);
          mentions.look(event.target);
        }}
        onBlur={mentions.close}
        onKeyDown={(event) => void mentions.onKey(event)}
      />
      <button type="submit" className="button is-primary" disabled={!task.canSubmit}>
        {task.add.busy ? t('tasks.adding') : t('tasks.add')}
      </button>
    </div>
  );
}

function MoreFields({ task, onDoer }: { task: NewTask; onDoer(doer: string): void }) {
  const agents = useAgentNames();
  const rooms = useRoomNames();
  return (
    <PlanFields plan={task.plan} isNew onChange={task.changePlan}>
      {!task.isNamed && (
        <ChoiceField
          label={t('tasks.doer')}
          value={task.doer}
          options={[['', t('tasks.anyAgent')], ...agents]}
          onChange={onDoer}
        />
      )}
      <ChoiceField
        label={t('tasks.room')}
        value={task.room}
        options={[['', t('tasks.noRoom')], ...rooms]}
        onChange={task.setRoom}
      />
      <ChoiceField<WorktreeChoice>
        label={t('tasks.place')}
        value={task.worktree}
        options={[
          ['', t('tasks.placeAsAgent')],
          ['on', t('tasks.placeBranch')],
          ['off', t('tasks.placeWorkspace')],
        ]}
        onChange={task.setWorktree}
      />
    </PlanFields>
  );
}

/** Focuses the line when a command from another page opened it. */
function useFocusWhenAsked(area: RefObject<HTMLTextAreaElement | null>): void {
  const asked = useAskedTask();
  useEffect(() => {
    if (!asked) return;
    takeAskedTask();
    area.current?.focus();
  }, [asked, area]);
}

/** Names the agent of the task; warns if that agent is not running and cannot start it. */
function DoerText({ id }: { id: string }) {
  const agent = useAgents((all) => (all !== null && Object.hasOwn(all, id) ? all[id] : undefined));
  const name = visibleLine(agent?.displayName ?? '');
  const words =
    agent === undefined
      ? t('tasks.forAny')
      : agent.life === 'running'
        ? t('tasks.forAgent', { name })
        : t('tasks.doerRests', { name });
  return <span role="status">{words}</span>;
}
