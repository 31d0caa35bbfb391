import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { lookDots, type TaskLook } from './task-state-text.ts';

/** State of a task as an icon; text beside it says the state. */
export function TaskSign({ look }: { look: TaskLook }) {
  const dot = lookDots[look];
  if (dot !== undefined) return <StateDot state={dot} size={14} label="" />;
  if (look === 'cancelled') return <Icon name="minus" size={14} />;
  return (
    <span className="task-done">
      <Icon name="check" size={14} />
    </span>
  );
}
