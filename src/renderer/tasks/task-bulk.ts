/** Actions on all selected tasks of a list. */
import type { HostClient } from '../../contract/host-api.ts';
import type { TaskSummary } from '../../contract/task-methods.ts';
import { t } from '../../language/texts.ts';
import type { BulkAction } from '../lists/bulk.ts';
import { act } from '../state/action.ts';
import { offeredVerbs } from './task-actions.tsx';

export const taskActions = (link: HostClient): readonly BulkAction<TaskSummary>[] => [
  {
    key: 'pause',
    icon: 'pause',
    label: t('tasks.pause'),
    fits: (task) => offeredVerbs(task).includes('pause'),
    run: ({ id }) => link.call('tasks.pause', { task: id }),
    done: (n) => t('tasks.pausedMany', { n }),
  },
  {
    key: 'resume',
    icon: 'play',
    label: t('tasks.resume'),
    fits: (task) => offeredVerbs(task).includes('resume'),
    run: ({ id }) => link.call('tasks.resume', { task: id }),
    done: (n) => t('tasks.resumedMany', { n }),
  },
  {
    key: 'retry',
    icon: 'loop',
    label: t('tasks.retry'),
    fits: (task) => offeredVerbs(task).includes('retry'),
    run: ({ id }) => link.call('tasks.retry', { task: id }),
    done: (n) => t('tasks.retriedMany', { n }),
  },
  {
    key: 'cancel',
    icon: 'stop',
    label: t('tasks.cancelMany'),
    confirm: (n) => ({ title: t('tasks.cancelManyTitle', { n }), text: t('tasks.cancelManyText') }),
    fits: (task) => offeredVerbs(task).includes('cancel'),
    run: ({ id }) => link.call('tasks.cancel', { task: id }),
    done: (n) => t('tasks.cancelledMany', { n }),
  },
  {
    key: 'archive',
    icon: 'box',
    label: t('tasks.archive'),
    fits: (task) => (task.status === 'done' || task.status === 'error') && task.archivedAt === null,
    run: ({ id }) => link.call('tasks.archive', { archived: true, tasks: [id] }),
    done: (n) => t('tasks.archivedMany', { n }),
    undo: (items) => void act(link, 'tasks.archive', { archived: false, tasks: items.map(({ id }) => id) }),
  },
  {
    key: 'unarchive',
    icon: 'box',
    label: t('tasks.unarchive'),
    fits: (task) => task.archivedAt !== null,
    run: ({ id }) => link.call('tasks.archive', { archived: false, tasks: [id] }),
    done: (n) => t('tasks.unarchivedMany', { n }),
  },
];
