/** Durations as people write them: `90s`, `15m`, `2h`, `30d`, `500ms`; whole ms internally. */

const units: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
]);

/** Ten years: a longer duration is a typing error. */
export const longestMs = 3650 * 86_400_000;

/** Expiry of a question without one of its own. */
export const defaultExpiryMs = 30 * 86_400_000;

/** ms, or `null` if the text is no duration, is not positive, or exceeds ten years. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,12})\s*(ms|s|m|h|d|w)$/.exec(text.trim());
  const ms = match ? Number(match[1]) * (units.get(match[2] ?? '') ?? 0) : 0;
  return ms > 0 && ms <= longestMs ? ms : null;
}

/** Uses the largest unit that is exact. */
export function printDuration(ms: number): string {
  const fitting = [...units].reverse().find(([, size]) => ms % size === 0);
  return fitting ? `${ms / fitting[1]}${fitting[0]}` : `${ms}ms`;
}
