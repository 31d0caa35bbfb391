/**
 * Filter and order of the board as pure functions, and a store that keeps them while other pages are open.
 */
import { create } from 'zustand';
import type { TaskSummary } from '../../contract/task-methods.ts';
import { lookOf, openStates, type TaskLook } from './task-state-text.ts';

export interface WantedTasks {
  /** Empty for all agents. */
  readonly agent: string;
  readonly project: string;
  readonly text: string;
}

export const allTasks: WantedTasks = { agent: '', project: '', text: '' };

export const hasTaskFilter = ({ agent, project, text }: WantedTasks): boolean =>
  agent !== '' || project !== '' || text.trim() !== '';

export function fitsTask(wanted: WantedTasks, task: TaskSummary): boolean {
  const { agent, project } = wanted;
  const text = wanted.text.trim().toLocaleLowerCase();
  const words = `#${task.id} ${task.goal} ${task.project ?? ''} ${task.result ?? ''}`;
  return (
    (agent === '' || task.agentId === agent || task.runnerId === agent) &&
    (project === '' || task.project === project) &&
    (text === '' || words.toLocaleLowerCase().includes(text))
  );
}

const isOpen = ({ status }: TaskSummary): boolean => openStates.some((one) => one === status);

/** In the order of the workers: due tasks first, then higher priority, then the older one. */
function byTurn(now: number): (a: TaskSummary, b: TaskSummary) => number {
  const later = ({ dueAt }: TaskSummary): number => (dueAt !== null && dueAt > now ? dueAt : 0);
  return (a, b) => later(a) - later(b) || b.priority - a.priority || a.id - b.id;
}

const byChange = (a: TaskSummary, b: TaskSummary): number => b.updatedAt - a.updatedAt || b.id - a.id;

/** One column: pending tasks in execution order, others with the latest change first. */
export function columnOf(tasks: readonly TaskSummary[], look: TaskLook, now: number): readonly TaskSummary[] {
  const order = look === 'pending' ? byTurn(now) : byChange;
  return tasks.filter((task) => lookOf(task) === look).sort(order);
}

const listOrder: readonly TaskLook[] = ['waiting', 'running', 'pending', 'paused'];

/**
 * One list: tasks that need the operator, then running, pending and paused ones, then ended ones by their
 * end.
 */
export const listOf = (tasks: readonly TaskSummary[], now: number): readonly TaskSummary[] => [
  ...listOrder.flatMap((status) => columnOf(tasks, status, now)),
  ...tasks.filter((task) => !isOpen(task)).sort(byChange),
];

interface BoardState {
  readonly wanted: WantedTasks;
  /** The last opened task, so that the list restores the focus to it. */
  readonly opened: number | null;
  /** `live` is the board or the list, as chosen in the preferences. */
  readonly view: 'live' | 'history' | 'figures';
  /** Initial status filter of the history; empty for all. */
  readonly past: TaskLook | '';
}

export const useBoard = create<BoardState>(() => ({
  wanted: allTasks,
  opened: null,
  view: 'live',
  past: '',
}));
export const want = (part: Partial<WantedTasks>): void =>
  useBoard.setState(({ wanted }) => ({ wanted: { ...wanted, ...part } }));
