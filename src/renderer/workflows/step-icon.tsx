import type { Dot } from '../../contract/model.ts';
import type { RunSummary } from '../../contract/workflow-methods.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon, type IconName } from '../mark/icon.tsx';
import type { ShownStepState } from './step-text.ts';

const dots: Partial<Record<ShownStepState, Dot>> = {
  running: 'working',
  waiting: 'needs_you',
  failed: 'error',
  skipped: 'offline',
  idle: 'idle',
};
const icons: Partial<Record<ShownStepState, IconName>> = {
  done: 'check',
  pausing: 'clock',
  retrying: 'loop',
  rejected: 'close',
  unanswered: 'clock',
  uncertain: 'question',
};

/** State of a step as an icon; text beside it says the state. */
export function StepSign({ state, size = 14 }: { state: ShownStepState; size?: number }) {
  const [dot, icon] = [dots[state], icons[state]];
  return (
    <span className={`step-sign at-${state}`} aria-hidden="true">
      {dot !== undefined && <StateDot state={dot} size={size} label="" />}
      {icon !== undefined && <Icon name={icon} size={size} />}
    </span>
  );
}

const runStates = {
  running: 'running',
  waiting: 'waiting',
  ok: 'done',
  failed: 'failed',
  cancelled: 'skipped',
} as const satisfies Record<RunSummary['status'], ShownStepState>;

export const RunSign = ({ status }: Pick<RunSummary, 'status'>) => <StepSign state={runStates[status]} />;
