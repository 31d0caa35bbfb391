/** Statistics of how long approvals waited for an answer, in readable ranges. */

const minute = 60_000;
const hour = 60 * minute;

export const waitRanges = ['minute', 'tenMinutes', 'hour', 'day', 'longer'] as const;
export type WaitRange = (typeof waitRanges)[number];

const upTo: Record<WaitRange, number> = {
  minute,
  tenMinutes: 10 * minute,
  hour,
  day: 24 * hour,
  longer: Number.POSITIVE_INFINITY,
};

export interface WaitSum {
  readonly counts: Readonly<Record<WaitRange, number>>;
  /** Median in ms. */
  readonly median: number;
  readonly longest: number;
}

const rangeOf = (ms: number): WaitRange => waitRanges.find((range) => ms < upTo[range]) ?? 'longer';

export function sumOfWaits(waits: readonly { readonly ms: number }[]): WaitSum {
  const sorted = waits.map(({ ms }) => Math.max(0, ms)).sort((a, b) => a - b);
  const counts = { minute: 0, tenMinutes: 0, hour: 0, day: 0, longer: 0 };
  for (const ms of sorted) counts[rangeOf(ms)] += 1;
  return { counts, median: sorted[Math.ceil(sorted.length / 2) - 1] ?? 0, longest: sorted.at(-1) ?? 0 };
}
