import type { ScheduleStartsView, ScheduleView, ScheduleWhenView } from '../contract/schedule-methods.ts';
import type { CliEnglish } from '../language/cli-message.ts';
import { copy, shown } from './copy.ts';
import type { StateCell, TableCell } from './table.ts';
import { labelledLines } from './table.ts';
import { visibleTerminalLine } from './visible-text.ts';
import { shownTime } from './when.ts';

function whenText(when: ScheduleWhenView): string {
  switch (when.kind) {
    case 'once':
      return copy('cliSchedules.once', { time: shownTime(when.at) });
    case 'cron':
      return copy('cliSchedules.cronIn', { expression: when.expression, zone: when.timeZone });
    case 'resource':
      return copy('cliSchedules.resourceChanges', { uri: when.uri, server: when.server });
    case 'file':
      return when.glob === null
        ? copy('cliSchedules.fileChanges', { path: when.path })
        : copy('cliSchedules.filesChange', { glob: when.glob, path: when.path });
  }
}

/** Starts on a change instead of at times. */
const isTrigger = ({ kind }: ScheduleWhenView): boolean => kind === 'file' || kind === 'resource';

function startsText(starts: ScheduleStartsView): string {
  if (starts.kind === 'workflow') return copy('cliSchedules.workflow', { file: starts.file });
  const { agent, goal } = starts;
  return copy('cliSchedules.taskFor', { agent: agent ?? copy('cliSchedules.anyAgent'), goal });
}

const nextText = ({ enabled, next, when }: ScheduleView): string => {
  if (!enabled) return copy('cliSchedules.paused');
  if (next !== null) return shownTime(next);
  return copy(isTrigger(when) ? 'cliSchedules.onChange' : 'cliSchedules.over');
};

const missedText = ({ missedCount }: ScheduleView): string =>
  missedCount === 0 ? '' : copy('cliSchedules.missed', { count: missedCount });

function stateOf(schedule: ScheduleView): StateCell {
  if (schedule.problem !== '') return { text: copy('cliSchedules.problem'), tone: 'bad' };
  if (!schedule.enabled) return { text: copy('cliSchedules.paused'), tone: 'quiet' };
  const missed = missedText(schedule);
  return missed === ''
    ? { text: copy('cliSchedules.active'), tone: 'good' }
    : { text: missed, tone: 'attention' };
}

export const scheduleHeads = (): readonly string[] => [
  copy('cliHeads.name'),
  copy('cliHeads.state'),
  copy('cliHeads.next'),
  copy('cliHeads.when'),
  copy('cliHeads.starts'),
];

export const scheduleCells = (schedule: ScheduleView): readonly TableCell[] => [
  schedule.name,
  stateOf(schedule),
  nextText(schedule),
  whenText(schedule.when),
  startsText(schedule.starts).slice(0, 60),
];

export function scheduleFacts(schedule: ScheduleView): string {
  const { id, name, starts, lastRun, missed, missedCount, problem, catchUp } = schedule;
  const row = (
    label: keyof CliEnglish['cliSchedules'] & `label_${string}`,
    value: string,
  ): readonly [string, string] => [copy(`cliSchedules.${label}`), visibleTerminalLine(value)];
  const isCaughtUp = catchUp === 'latest';
  const args = starts.kind === 'workflow' ? JSON.stringify(starts.args) : '';
  const [newest] = missed;
  const rows = [
    row('label_starts', startsText(starts)),
    ...(args === '' || args === '{}' ? [] : [row('label_with', args)]),
    row('label_when', whenText(schedule.when)),
    row('label_next', nextText(schedule)),
    ...(lastRun === null ? [] : [row('label_last', shownTime(lastRun))]),
    ...(isTrigger(schedule.when)
      ? []
      : [
          row(
            'label_missed',
            isCaughtUp ? copy('cliSchedules.caughtUp', { count: missedCount }) : String(missedCount),
          ),
        ]),
  ];
  const trouble = problem === '' ? [] : [row('label_problem', shown(problem))];
  return [
    `${visibleTerminalLine(name)} (${id})`,
    ...labelledLines(rows, 8),
    ...missed.map((at) => `    ${shownTime(at)}`),
    ...(newest === undefined ? [] : [`  ${copy('cliSchedules.runMissed', { id, time: shownTime(newest) })}`]),
    ...labelledLines(trouble, 8),
  ].join('\n');
}
