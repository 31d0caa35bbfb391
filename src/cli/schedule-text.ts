import type { ScheduleStartsView, ScheduleView, ScheduleWhenView } from '../contract/schedule-methods.ts';
import { shown } from './copy.ts';
import type { StateCell, TableCell } from './table.ts';
import { visibleTerminalLine } from './visible-text.ts';
import { shownTime } from './when.ts';

function whenText(when: ScheduleWhenView): string {
  switch (when.kind) {
    case 'once':
      return `once at ${shownTime(when.at)}`;
    case 'cron':
      return `"${when.expression}" in ${when.timeZone}`;
    default:
      return `when ${when.glob === null ? '' : `${when.glob} in `}${when.path} changes`;
  }
}

function startsText(starts: ScheduleStartsView): string {
  if (starts.kind === 'workflow') return `workflow ${starts.file}`;
  return `task for ${starts.agent ?? 'any agent'}: ${starts.goal}`;
}

const nextText = ({ enabled, next, when }: ScheduleView): string => {
  if (!enabled) return 'paused';
  if (next !== null) return shownTime(next);
  return when.kind === 'file' ? 'on change' : 'over';
};

const missedText = ({ missedCount }: ScheduleView): string =>
  missedCount === 0 ? '' : `${missedCount} missed`;

function stateOf(schedule: ScheduleView): StateCell {
  if (schedule.problem !== '') return { text: 'problem', tone: 'bad' };
  if (!schedule.enabled) return { text: 'paused', tone: 'quiet' };
  const missed = missedText(schedule);
  return missed === '' ? { text: 'active', tone: 'good' } : { text: missed, tone: 'attention' };
}

export const scheduleHeads = ['NAME', 'STATE', 'NEXT', 'WHEN', 'STARTS'] as const;

export const scheduleCells = (schedule: ScheduleView): readonly TableCell[] => [
  schedule.name,
  stateOf(schedule),
  nextText(schedule),
  whenText(schedule.when),
  startsText(schedule.starts).slice(0, 60),
];

export function scheduleFacts(schedule: ScheduleView): string {
  const { id, name, starts, lastRun, missed, missedCount, problem, catchUp } = schedule;
  const row = (label: string, value: string): string => `  ${label.padEnd(9)}${visibleTerminalLine(value)}`;
  const args = starts.kind === 'workflow' ? JSON.stringify(starts.args) : '';
  const [newest] = missed;
  return [
    `${visibleTerminalLine(name)} (${id})`,
    row('Starts', startsText(starts)),
    ...(args === '' || args === '{}' ? [] : [row('With', args)]),
    row('When', whenText(schedule.when)),
    row('Next', nextText(schedule)),
    ...(lastRun === null ? [] : [row('Last', shownTime(lastRun))]),
    ...(schedule.when.kind === 'file'
      ? []
      : [row('Missed', `${missedCount}${catchUp === 'latest' ? '; the newest is caught up' : ''}`)]),
    ...missed.map((at) => `    ${shownTime(at)}`),
    ...(newest === undefined
      ? []
      : [`  Run one with: kennel schedule run ${id} --missed "${shownTime(newest)}"`]),
    ...(problem === '' ? [] : [row('Problem', shown(problem))]),
  ].join('\n');
}
