import { useEffect, useState } from 'react';
import { t } from '../../language/texts.ts';
import { clockTime, exactTime, lasting, relativeTime, secondsTime } from '../words/time.ts';

const listeners = new Set<(now: number) => void>();
let timer: ReturnType<typeof setInterval> | null = null;

/** One timer for the whole page, only while something on it shows a time. */
export function useNow(everyMs = 10_000): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    listeners.add(setNow);
    timer ??= setInterval(() => {
      if (!document.hidden) for (const tell of listeners) tell(Date.now());
    }, everyMs);
    return () => {
      listeners.delete(setNow);
      if (listeners.size > 0 || timer === null) return;
      clearInterval(timer);
      timer = null;
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

export function Clock({ at, seconds = false }: { at: number; seconds?: boolean }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {seconds ? secondsTime(at) : clockTime(at)}
    </time>
  );
}
