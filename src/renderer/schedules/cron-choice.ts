/** Common recurrences as form choices, converted to and from cron expressions. */

export type CronChoice =
  | { readonly often: 'hourly'; readonly minute: number }
  | { readonly often: 'daily' | 'weekdays'; readonly hour: number; readonly minute: number }
  /** 0 is Sunday. */
  | { readonly often: 'weekly'; readonly hour: number; readonly minute: number; readonly day: number }
  | { readonly often: 'monthly'; readonly hour: number; readonly minute: number; readonly date: number };

export type Often = CronChoice['often'];
export const oftens = ['hourly', 'daily', 'weekdays', 'weekly', 'monthly'] as const satisfies Often[];

export function expressionOf(choice: CronChoice): string {
  switch (choice.often) {
    case 'hourly':
      return `${choice.minute} * * * *`;
    case 'daily':
      return `${choice.minute} ${choice.hour} * * *`;
    case 'weekdays':
      return `${choice.minute} ${choice.hour} * * 1-5`;
    case 'weekly':
      return `${choice.minute} ${choice.hour} * * ${choice.day}`;
    case 'monthly':
      return `${choice.minute} ${choice.hour} ${choice.date} * *`;
  }
}

const within = (text: string, least: number, most: number): number | null => {
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
};

/** Returns `null` if the expression matches no choice. */
export function choiceOf(expression: string): CronChoice | null {
  const fields = expression.trim().split(/\s+/);
  const [minutes = '', hours = '', date = '', month, weekday = ''] = fields;
  const minute = within(minutes, 0, 59);
  if (fields.length !== 5 || month !== '*' || minute === null) return null;
  if (hours === '*' && date === '*' && weekday === '*') return { often: 'hourly', minute };
  const hour = within(hours, 0, 23);
  if (hour === null) return null;
  if (date !== '*') {
    const day = within(date, 1, 31);
    return day === null || weekday !== '*' ? null : { often: 'monthly', hour, minute, date: day };
  }
  if (weekday === '*') return { often: 'daily', hour, minute };
  if (weekday === '1-5') return { often: 'weekdays', hour, minute };
  const day = within(weekday, 0, 7);
  return day === null ? null : { often: 'weekly', hour, minute, day: day % 7 };
}
