import type { ScheduleStartsView, ScheduleWhenView } from '../../contract/schedule-methods.ts';
import { locale, t } from '../../language/texts.ts';
import { clockTime, exactTime } from '../format/time.ts';
import { visibleLine } from '../format/visible-text.ts';
import { type CronChoice, choiceOf } from './cron-choice.ts';
import { ownTimeZone } from './draft.ts';

/** 2023-01-01 is a Sunday; the year does not matter here. */
const someSunday = [2023, 0, 1] as const;

export const weekdayWords = (day: number): string =>
  new Intl.DateTimeFormat(locale(), { weekday: 'long' }).format(
    new Date(someSunday[0], someSunday[1], someSunday[2] + day),
  );

const clockWords = (hour: number, minute: number): string =>
  clockTime(new Date(...someSunday, hour, minute).getTime());

export function choiceWords(choice: CronChoice): string {
  if (choice.often === 'hourly')
    return t('schedules.when_hourly', { minute: String(choice.minute).padStart(2, '0') });
  const at = clockWords(choice.hour, choice.minute);
  switch (choice.often) {
    case 'daily':
    case 'weekdays':
      return t(`schedules.when_${choice.often}`, { at });
    case 'weekly':
      return t('schedules.when_weekly', { at, day: weekdayWords(choice.day) });
    case 'monthly':
      return t('schedules.when_monthly', { at, date: choice.date });
  }
}

export function whenWords(when: ScheduleWhenView): string {
  switch (when.kind) {
    case 'once':
      return t('schedules.when_once', { at: exactTime(when.at) });
    case 'cron': {
      const choice = choiceOf(when.expression);
      const words =
        choice === null
          ? t('schedules.when_expression', { expression: visibleLine(when.expression) })
          : choiceWords(choice);
      return when.timeZone === ownTimeZone()
        ? words
        : t('schedules.inZone', { words, zone: visibleLine(when.timeZone) });
    }
    case 'resource':
      return t('schedules.when_resource', {
        uri: visibleLine(when.uri),
        server: visibleLine(when.server),
      });
    case 'file': {
      const path = visibleLine(when.path);
      return when.glob === null
        ? t('schedules.when_file', { path })
        : t('schedules.when_files', { path, glob: visibleLine(when.glob) });
    }
  }
}

export function startsWords(starts: ScheduleStartsView, nameOf: (agent: string) => string): string {
  if (starts.kind === 'workflow') {
    const file = visibleLine(starts.file.split(/[\\/]/).at(-1) ?? starts.file);
    return t('schedules.starts_workflow', { file });
  }
  const goal = visibleLine(starts.goal.split(/[\r\n]/)[0]?.slice(0, 160) ?? '');
  return starts.agent === null
    ? t('schedules.starts_task', { goal })
    : t('schedules.starts_taskFor', { goal, name: visibleLine(nameOf(starts.agent)) });
}

/** Formats a due time in the schedule's own time zone. */
export function timeInZone(at: number, timeZone: string): string {
  const style = { dateStyle: 'full', timeStyle: 'short' } as const;
  try {
    return new Intl.DateTimeFormat(locale(), { ...style, timeZone }).format(at);
  } catch {
    // Invalid time zone; the host reports it when saving.
    return new Intl.DateTimeFormat(locale(), style).format(at);
  }
}
