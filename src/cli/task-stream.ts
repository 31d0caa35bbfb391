import { applyPatch } from '../contract/apply-patch.ts';
import type { FeedEvent } from '../contract/patch.ts';
import { isBeginning } from '../contract/task-excerpt.ts';
import type { TaskStepView, TaskSummary, TaskView } from '../contract/task-methods.ts';
import { logHead, logStep } from '../contract/task-text.ts';
import { copy, shown } from './copy.ts';
import { visibleTerminalLine } from './visible-text.ts';

// Text output of a followed task: each step when it starts and its outcome when it ends, each once.

export interface TaskStream {
  /** Text for the changes in this event without a final line break, or `null` if none exist. */
  see(event: FeedEvent): string | null;
  /** `null` until the first snapshot. */
  task(): TaskSummary | null;
  steps(): TaskView['steps'];
  /** The task has ended or does not exist. */
  over(): boolean;
}

/** Printed part of a step. */
type Told = 'begun' | 'ended';

export const hasEnded = ({ status }: TaskSummary): boolean => status === 'done' || status === 'error';

export function pauseNote({ id, status, waitingFor, asked }: TaskSummary): string | null {
  if (asked === 'pause') return copy('cliTasks.pausing');
  if (asked === 'cancel') return copy('cliTasks.cancelling');
  if (status === 'paused') return copy('cliTasks.paused', { id });
  if (status !== 'waiting') return null;
  switch (waitingFor?.kind) {
    case 'unknown-step':
      return copy('cliTasks.stepUnknown', { id, step: waitingFor.step });
    case 'run':
      return copy('cliTasks.waitsForRun', {
        run: waitingFor.run,
        name: visibleTerminalLine(waitingFor.name),
      });
    default:
      return copy('cliTasks.waitsForApproval');
  }
}

/** Text after a cut; names the command that prints all of it. */
const more = (command: string, id: number): string => copy('cliTasks.all', { command, id });

function endText({ id, status, result, failure }: TaskSummary): string {
  const rest = result !== null && isBeginning(result) ? [more('show', id)] : [];
  if (status === 'done') return [copy('cliTasks.done'), ...(result ? ['', result, ...rest] : [])].join('\n');
  return failure ? copy('cliTasks.errorBecause', { why: failure.message }) : copy('cliTasks.error');
}

export function createTaskStream(): TaskStream {
  let state: TaskView = { task: null, steps: {} };
  const told = new Map<number, Told>();
  let last: number | null = null;
  let noted: string | null = null;
  let headed = false;
  let ended = false;

  const stepText = (step: TaskStepView, task: number): string | null => {
    const before = told.get(step.number);
    const now: Told = step.endedAt === null ? 'begun' : 'ended';
    if (before === now || before === 'ended') return null;
    told.set(step.number, now);
    const text = logStep(step, shown) + (step.cut ? `\n    ${more('logs', task)}` : '');
    // The step's heading is the last line, so only the outcome is printed.
    const goesOn = before === 'begun' && last === step.number;
    last = step.number;
    return goesOn ? text.split('\n').slice(2).join('\n') : `\n${text}`;
  };

  const news = (task: TaskSummary): string[] => {
    const lines = headed ? [] : [logHead(task, shown)];
    headed = true;
    const steps = Object.values(state.steps).sort((a, b) => a.number - b.number);
    for (const step of steps) {
      const text = stepText(step, task.id);
      if (text !== null && text !== '') lines.push(text);
    }
    const note = pauseNote(task);
    if (note !== null && note !== noted) lines.push(`\n${note}`);
    noted = note;
    if (hasEnded(task) && !ended) {
      ended = true;
      lines.push(`\n${endText(task)}`);
    }
    return lines;
  };

  return {
    see(event) {
      if (event.type === 'end') return null;
      state = event.type === 'snapshot' ? (event.state as TaskView) : applyPatch(state, event.ops);
      if (state.task === null) {
        ended = true;
        return null;
      }
      const lines = news(state.task);
      return lines.length === 0 ? null : lines.join('\n');
    },
    task: () => state.task,
    steps: () => state.steps,
    over: () => ended,
  };
}
