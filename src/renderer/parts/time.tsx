import { useEffect, useState } from 'react';
import { t } from '../../language/texts.ts';
import { clockTime, exactTime, lasting, relativeTime, secondsTime } from '../format/time.ts';

interface Ticking {
  readonly listeners: Set<(now: number) => void>;
  readonly timer: ReturnType<typeof setInterval>;
}

/** Timers by interval in ms. */
const ticking = new Map<number, Ticking>();

function tickEvery(everyMs: number): Ticking {
  const listeners: Ticking['listeners'] = new Set();
  const timer = setInterval(() => {
    if (!document.hidden) for (const tell of listeners) tell(Date.now());
  }, everyMs);
  return { listeners, timer };
}

/**
 * Current time. All components with the same interval share one timer, which runs only while one is mounted.
 */
export function useNow(everyMs = 10_000): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const { listeners, timer } = ticking.get(everyMs) ?? tickEvery(everyMs);
    ticking.set(everyMs, { listeners, timer });
    listeners.add(setNow);
    return () => {
      listeners.delete(setNow);
      if (listeners.size > 0) return;
      clearInterval(timer);
      ticking.delete(everyMs);
    };
  }, [everyMs]);
  return now;
}

export function Ago({ at }: { at: number }) {
  const now = useNow();
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {relativeTime(at, now)}
    </time>
  );
}

export function For({ since }: { since: number }) {
  const now = useNow();
  return (
    <time dateTime={new Date(since).toISOString()} title={t('parts.since', { time: exactTime(since) })}>
      {lasting(since, now)}
    </time>
  );
}

export function ClockTime({ at, seconds = false }: { at: number; seconds?: boolean }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {seconds ? secondsTime(at) : clockTime(at)}
    </time>
  );
}
