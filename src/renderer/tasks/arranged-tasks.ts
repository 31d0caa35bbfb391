/** Order and groups of a list of tasks. */
import type { TaskSummary } from '../../contract/task-methods.ts';
import { t } from '../../language/texts.ts';
import { byWords } from '../format/order.ts';
import { visibleLine } from '../format/visible-text.ts';
import { type Arrangement, byLatest, bySpend, type GroupName } from '../lists/arrange.ts';
import type { Arranged } from '../state/preferences.ts';
import { goalTitle, lookOf, lookWords, type TaskLook, taskAgentText } from './task-state-text.ts';

/** Tasks that need the operator come first, then running ones. */
const order: readonly string[] = [
  'waiting',
  'running',
  'pending',
  'paused',
  'error',
  'done',
  'cancelled',
] satisfies TaskLook[];
const rankOf = (task: TaskSummary): number => order.indexOf(lookOf(task));

type Compare = (a: TaskSummary, b: TaskSummary) => number;

const byNumber: Compare = (a, b) => b.id - a.id;
const byName: Compare = (a, b) => byWords(goalTitle(a.goal), goalTitle(b.goal)) || byNumber(a, b);

const compareBy: Readonly<Record<Arranged<'tasks'>['sort'], Compare | null>> = {
  default: null,
  name: byName,
  state: (a, b) => rankOf(a) - rankOf(b) || byName(a, b),
  activity: byLatest(({ updatedAt }) => updatedAt, byNumber),
  spend: bySpend(({ used }) => ({ usd: used.usd + used.simulatedUsd, tokens: used.tokens }), byNumber),
};

type Group = Exclude<Arranged<'tasks'>['group'], 'none'>;

const groupBy: Readonly<Record<Group, (task: TaskSummary) => GroupName>> = {
  state: (task) => ({ key: lookOf(task), title: lookWords(lookOf(task)) }),
  agent: (task) => ({ key: task.runnerId ?? task.agentId ?? '', title: taskAgentText(task) }),
  project: ({ project }) =>
    project === null
      ? { key: '', title: t('lists.noProject') }
      : { key: project, title: visibleLine(project) },
};

export function taskArrangement({ sort, group }: Arranged<'tasks'>): Arrangement<TaskSummary> {
  const rank = ({ key }: GroupName): number => order.indexOf(key);
  return {
    keyOf: ({ id }) => String(id),
    compare: compareBy[sort],
    groupOf: group === 'none' ? null : groupBy[group],
    compareGroups: (a, b) =>
      group === 'state'
        ? rank(a) - rank(b)
        : Number(a.key === '') - Number(b.key === '') || byWords(a.title, b.title),
  };
}
