/** Splits the time of a turn into its own work and the time that it waited for an answer. */

/** Times in ms since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Joins overlapping spans; in order of start. */
export function mergedSpans(spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = found.at(-1);
    if (last && span.from <= last.to)
      found[found.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    else if (span.to > span.from) found.push(span);
  }
  return found;
}

interface TimedTurn {
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly waits: readonly { readonly from: number; readonly to: number | null }[];
}

export interface TurnTime {
  readonly workMs: number;
  readonly waitedMs: number;
}

export function turnTime({ startedAt, endedAt, waits }: TimedTurn, now: number): TurnTime {
  const end = Math.max(startedAt, endedAt ?? now);
  const within = waits.map(({ from, to }) => ({
    from: Math.max(from, startedAt),
    to: Math.min(to ?? end, end),
  }));
  const waitedMs = mergedSpans(within).reduce((sum, { from, to }) => sum + to - from, 0);
  return { workMs: end - startedAt - waitedMs, waitedMs };
}
