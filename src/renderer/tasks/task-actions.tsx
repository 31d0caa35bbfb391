import { useState } from 'react';
import type { MethodName } from '../../contract/methods.ts';
import type { TaskSummary } from '../../contract/task-methods.ts';
import { t } from '../../language/texts.ts';
import { Menu, MenuItem } from '../parts/menu.tsx';
import { act } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { ChangeTask } from './change-task.tsx';
import { useFork } from './use-fork.ts';

type Verb = 'runNow' | 'pause' | 'resume' | 'cancel' | 'retry' | 'startOver' | 'change';

const verbs: Record<
  Exclude<Verb, 'startOver' | 'change'>,
  readonly [MethodName & `tasks.${'run' | 'pause' | 'resume' | 'cancel' | 'retry'}`, () => string, string]
> = {
  runNow: ['tasks.run', () => t('tasks.runNow'), 'ranNow'],
  pause: ['tasks.pause', () => t('tasks.pause'), 'paused'],
  resume: ['tasks.resume', () => t('tasks.resume'), 'resumed'],
  cancel: ['tasks.cancel', () => t('tasks.cancel'), 'cancelled'],
  retry: ['tasks.retry', () => t('tasks.retry'), 'retried'],
};

/** Actions for the task's state, most likely first. */
export function offeredVerbs({ status, asked, failure }: TaskSummary): readonly Verb[] {
  if (asked === 'cancel') return [];
  if (asked === 'pause') return ['resume', 'cancel'];
  switch (status) {
    case 'pending':
      return ['runNow', 'pause', 'cancel'];
    case 'running':
    case 'waiting':
      return ['pause', 'cancel'];
    case 'paused':
      return ['resume', 'cancel'];
    case 'done':
      return ['startOver'];
    case 'error':
      // A retry with the same budget would fail again.
      return failure?.kind === 'budget' ? ['change', 'retry', 'startOver'] : ['retry', 'startOver'];
  }
}

function words(verb: Verb): string {
  if (verb === 'change') return t('tasks.change');
  return verb === 'startOver' ? t('tasks.startOver') : verbs[verb][1]();
}

const isFixed = ({ status }: TaskSummary): boolean => status === 'done';

/** The first action is primary if the task needs the operator to continue. */
export function TaskActions({ task }: { task: TaskSummary }) {
  const { link } = useReplica();
  const fork = useFork(task.id);
  const [busy, setBusy] = useState(false);
  const [changing, setChanging] = useState(false);
  const verbsNow = offeredVerbs(task);
  const calls = task.status === 'paused' || task.status === 'error';
  const run = async (verb: Verb): Promise<void> => {
    if (verb === 'change') return setChanging(true);
    setBusy(true);
    if (verb === 'startOver') await fork(0);
    else {
      const [method, , said] = verbs[verb];
      const done = await act(link, method, { task: task.id });
      if (done) showNotice(t(`tasks.${said as 'paused'}`, { number: String(task.id) }));
    }
    setBusy(false);
  };
  return (
    <div className="task-actions">
      {verbsNow.map((verb, index) => (
        <button
          key={verb}
          type="button"
          className={`button${index === 0 && calls ? ' is-primary' : ''}`}
          disabled={busy}
          onClick={() => void run(verb)}
        >
          {words(verb)}
        </button>
      ))}
      {!isFixed(task) && (
        <Menu label={t('tasks.actions')}>
          {!verbsNow.includes('change') && (
            <MenuItem onPick={() => setChanging(true)}>{t('tasks.change')}</MenuItem>
          )}
          {!verbsNow.includes('startOver') && (
            <MenuItem onPick={() => void run('startOver')}>{t('tasks.startOver')}</MenuItem>
          )}
        </Menu>
      )}
      {changing && <ChangeTask task={task} onClose={() => setChanging(false)} />}
    </div>
  );
}
