/** Limits restarts by the watchdog; an environment variable passes their times to the next process. */

export const restartVariable = 'KENNEL_WATCHDOG_STARTS';
const maxStarts = 3;
const windowMs = 10 * 60_000;

/** Starts within the last ten minutes, oldest first; invalid entries are ignored. */
export function recentStarts(value: string | undefined, now: number): readonly number[] {
  return (value ?? '')
    .split(',')
    .map(Number)
    .filter((at) => Number.isSafeInteger(at) && at > 0 && at <= now && now - at < windowMs);
}

/** The variable's next value, or `null` after three starts in ten minutes. */
export function spendRestart(value: string | undefined, now: number): string | null {
  const starts = recentStarts(value, now);
  return starts.length >= maxStarts ? null : [...starts, now].join(',');
}
