import type { TaskSummary } from '../../contract/task-methods.ts';
import { taskLine } from '../../contract/task-text.ts';
import { copy, shown } from '../copy.ts';
import { hasEnded, pauseNote } from '../task-stream.ts';
import { visibleTerminalLine } from '../visible-text.ts';

export const taskLineText = (task: TaskSummary): string =>
  taskLine({ ...task, goal: visibleTerminalLine(task.goal) }, shown).trimStart();

/** The status alone would suggest a failure. */
const endNote = ({ id, failure }: TaskSummary): string | null =>
  failure?.kind === 'cancelled' ? copy('cliTasks.keptWork', { why: failure.message, id }) : null;

/** The status after a change, with an explanation if it is not obvious. */
export function taskStatusText(task: TaskSummary): string {
  const note = hasEnded(task) ? endNote(task) : pauseNote(task);
  return [taskLineText(task), ...(note === null ? [] : [note])].join('\n');
}
