import type { TaskState } from '../../contract/task-methods.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { statusDots } from './task-words.ts';

/** The state of a task as a shape; the words stand beside it. */
export function TaskSign({ status, cancelled = false }: { status: TaskState; cancelled?: boolean }) {
  if (cancelled) return <Icon name="minus" size={14} />;
  const dot = statusDots[status];
  return dot === undefined ? <Icon name="check" size={14} /> : <StateDot state={dot} size={14} label="" />;
}
