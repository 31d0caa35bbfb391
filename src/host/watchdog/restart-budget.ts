/** How often the watchdog may start a replacement: the starts so far travel in the environment of the next one. */

export const restartVariable = 'KENNEL_WATCHDOG_STARTS';
const maxStarts = 3;
const windowMs = 10 * 60_000;

/** Starts within the last ten minutes, oldest first; whatever is not a time is ignored. */
export function recentStarts(value: string | undefined, now: number): readonly number[] {
  return (value ?? '')
    .split(',')
    .map(Number)
    .filter((at) => Number.isSafeInteger(at) && at > 0 && at <= now && now - at < windowMs);
}

/** The variable's next value, or null when the budget of three starts in ten minutes is spent. */
export function spendRestart(value: string | undefined, now: number): string | null {
  const starts = recentStarts(value, now);
  return starts.length >= maxStarts ? null : [...starts, now].join(',');
}
