import { setImmediate as breathe } from 'node:timers/promises';
import type { MethodParsed } from '../../contract/methods.ts';
import type { Task } from '../../core/tasks/task.ts';
import type { TaskQuery, TaskStore } from '../../core/tasks/task-ports.ts';
import type { TaskAgents } from './task-agents.ts';

/** Tasks per page, and per call at most; the caller continues a search with `before`. */
const pageSize = 500;
const mostRead = 20_000;

const holds = ({ goal, result, project }: Task, text: string): boolean =>
  [goal, result ?? '', project ?? ''].some((field) => field.toLocaleLowerCase().includes(text));

/** Newest first; yields between pages. */
export async function searchTasks(
  agents: Pick<TaskAgents, 'find'>,
  store: TaskStore,
  { status, cancelled, project, agent, text, archived, before, limit }: MethodParsed<'tasks.list'>,
): Promise<{ readonly tasks: readonly Task[]; readonly hasMore: boolean }> {
  const named = agent === undefined ? null : agents.find(agent);
  const wanted = text?.trim().toLocaleLowerCase() ?? '';
  // A search by text finds archived tasks, too.
  const shown = archived ?? (wanted === '' ? false : undefined);
  const query: TaskQuery = {
    ...(shown === undefined ? {} : { archived: shown }),
    ...(status ? { status } : {}),
    ...(project === undefined ? {} : { project }),
    ...(named ? { agent: named.ok ? named.value : (agent ?? '') } : {}),
    limit: pageSize,
  };
  const fits = (task: Task): boolean =>
    (cancelled === undefined || (task.failure?.kind === 'cancelled') === cancelled) &&
    (wanted === '' || holds(task, wanted));
  const found: Task[] = [];
  let from = before;
  for (let read = 0; read < mostRead; read += pageSize) {
    const page = store.list({ ...query, ...(from === undefined ? {} : { before: from }) });
    found.push(...page.filter(fits));
    if (found.length > limit) return { tasks: found.slice(0, limit), hasMore: true };
    from = page.at(-1)?.id;
    if (page.length < pageSize) return { tasks: found, hasMore: false };
    await breathe();
  }
  return { tasks: found, hasMore: true };
}
