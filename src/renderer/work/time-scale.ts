/** Maps a time of a turn or run to its picture, 0 to 1000. Long waits are compressed. */
import { mergedSpans, type Span } from '../../contract/turn-time.ts';
import type { TurnPart } from '../../contract/work-methods.ts';

export const pictureWidth = 1000;

export interface TimeScale {
  readonly from: number;
  readonly to: number;
  /** At least one wait is compressed. */
  readonly squeezed: boolean;
  at(time: number): number;
}

/** A wait longer than `longestShare` of all other time is drawn as `drawnShare` of it. */
const longestShare = 0.5;
const drawnShare = 0.3;
const shortestMs = 1_000;

export function timeScale(parts: readonly TurnPart[], turn: Span): TimeScale {
  const from = Math.min(turn.from, ...parts.map(({ startedAt }) => startedAt));
  const to = Math.max(turn.to, from + 1, ...parts.map(({ startedAt, endedAt }) => endedAt ?? startedAt));
  const within = ({ startedAt, endedAt }: TurnPart): Span => ({
    from: startedAt,
    to: Math.min(endedAt ?? to, to),
  });
  return scaleOf(
    { from, to },
    mergedSpans(parts.filter(({ kind }) => kind === 'wait' || kind === 'retry').map(within)),
  );
}

/** For work in parallel: only time without any work counts as waiting. */
export function workScale(work: readonly Span[], whole: Span): TimeScale {
  const to = Math.max(whole.to, whole.from + 1);
  const busy = mergedSpans(
    work.map((span) => ({ from: Math.max(span.from, whole.from), to: Math.min(span.to, to) })),
  );
  const ends = [whole.from, ...busy.map((span) => span.to)];
  const starts = [...busy.map(({ from }) => from), to];
  const idle = ends.flatMap((from, at) => {
    const until = starts[at] ?? to;
    return until > from ? [{ from, to: until }] : [];
  });
  return scaleOf({ from: whole.from, to }, busy.length === 0 ? [] : idle);
}

function scaleOf({ from, to }: Span, waits: readonly Span[]): TimeScale {
  const waited = waits.reduce((sum, wait) => sum + wait.to - wait.from, 0);
  const active = Math.max(to - from - waited, shortestMs);
  const long = waits.filter((wait) => wait.to - wait.from > active * longestShare);
  const drawn = active * drawnShare;
  const lost = (wait: Span, time: number): number => {
    const inside = Math.min(Math.max(time - wait.from, 0), wait.to - wait.from);
    return inside * (1 - drawn / (wait.to - wait.from));
  };
  const place = (time: number): number => time - from - long.reduce((sum, wait) => sum + lost(wait, time), 0);
  const whole = place(to);
  return {
    from,
    to,
    squeezed: long.length > 0,
    at: (time) =>
      (Math.min(Math.max(place(Math.min(Math.max(time, from), to)), 0), whole) / whole) * pictureWidth,
  };
}
