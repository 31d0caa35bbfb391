/** What is looked for on the board and how it is drawn: pure choices, and a place that keeps them while one looks elsewhere. */
import { create } from 'zustand';
import type { TaskSummary } from '../../contract/task-methods.ts';
import { lookOf, openStates, type TaskLook } from './task-words.ts';

export interface WantedTasks {
  /** Empty: any. */
  readonly agent: string;
  readonly project: string;
  readonly text: string;
}

export const allTasks: WantedTasks = { agent: '', project: '', text: '' };

export const isPicky = ({ agent, project, text }: WantedTasks): boolean =>
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

/** As the workers take them: higher priority first, then the older one; what is due later stands behind. */
function byTurn(now: number): (a: TaskSummary, b: TaskSummary) => number {
  const later = ({ dueAt }: TaskSummary): number => (dueAt !== null && dueAt > now ? dueAt : 0);
  return (a, b) => later(a) - later(b) || b.priority - a.priority || a.id - b.id;
}

const byChange = (a: TaskSummary, b: TaskSummary): number => b.updatedAt - a.updatedAt || b.id - a.id;

/** One column: those that wait in the order in which they are taken, the others with the latest first. */
export function columnOf(tasks: readonly TaskSummary[], look: TaskLook, now: number): readonly TaskSummary[] {
  const order = look === 'pending' ? byTurn(now) : byChange;
  return tasks.filter((task) => lookOf(task) === look).sort(order);
}

const listOrder: readonly TaskLook[] = ['waiting', 'running', 'pending', 'paused'];

/** One list: what needs a person first, then what runs and what will; the ended ones by their end. */
export const listOf = (tasks: readonly TaskSummary[], now: number): readonly TaskSummary[] => [
  ...listOrder.flatMap((status) => columnOf(tasks, status, now)),
  ...tasks.filter((task) => !isOpen(task)).sort(byChange),
];

interface BoardState {
  readonly wanted: WantedTasks;
  /** The task that was opened last, so that coming back leads to where one was. */
  readonly opened: number | null;
  /** `live`: board or list, whichever was chosen. */
  readonly view: 'live' | 'history' | 'figures';
  /** With which status the history opens; empty: any. */
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
