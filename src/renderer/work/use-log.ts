/** Follows and searches the log: live lines once per frame, older lines on request. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import { useReplica } from '../state/subscriptions.ts';
import { LogBuffer, type LogFilter } from './log-buffer.ts';

/** Minimum of matching lines that the view loads at first, if they exist. */
const wantedAtFirst = 200;
const pageSize = 500;

interface Looking {
  /** Number of the current filter; answers to older filters are dropped. */
  round: number;
  next: string | null;
  busy: boolean;
  ended: boolean;
}

export interface LogState {
  readonly buffer: LogBuffer;
  /** `null` until the first lines arrive. */
  readonly version: number | null;
  readonly ended: boolean;
  readonly busy: boolean;
  /** Time down to which the log was searched, in ms since the epoch. */
  readonly readTo: number | null;
  readonly error: AppError | null;
  older(): void;
}

export function useLog(filter: LogFilter): LogState {
  const { link, logs } = useReplica();
  const [buffer] = useState(() => new LogBuffer());
  const looking = useRef<Looking>({ round: 0, next: null, busy: false, ended: false });
  const [version, setVersion] = useState<number | null>(null);
  const [readTo, setReadTo] = useState<number | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const changed = useCallback(() => setVersion((before) => (before ?? 0) + 1), []);

  useEffect(() => {
    const take = (): void => {
      const { state } = logs.store.getState();
      if (state === null) return;
      if (buffer.take(state)) looking.current.next = null;
      changed();
    };
    take();
    const unsubscribe = logs.store.subscribe(take);
    const leave = logs.use();
    return () => {
      unsubscribe();
      leave();
    };
  }, [logs, buffer, changed]);

  const older = useCallback(async () => {
    const now = looking.current;
    const { round } = now;
    if (now.busy || now.ended) return;
    now.busy = true;
    const before = now.next ?? buffer.oldest;
    const { level, agent, text } = filter;
    const page = await link.call('logs.read', {
      level,
      text: text.trim(),
      limit: pageSize,
      ...(agent === '' ? {} : { agent }),
      ...(before === null ? {} : { before }),
    });
    if (round !== looking.current.round) return;
    now.busy = false;
    setError(page.ok ? null : page.error);
    if (page.ok) {
      buffer.prepend(page.value.lines.toReversed());
      now.next = page.value.next;
      now.ended = page.value.next === null;
      setReadTo(page.value.readTo);
    } else now.ended = true;
    changed();
  }, [link, buffer, filter, changed]);

  useEffect(() => {
    looking.current = { round: looking.current.round + 1, next: null, busy: false, ended: false };
    buffer.filter(filter);
    setReadTo(null);
    setVersion((before) => (before === null ? null : before + 1));
  }, [buffer, filter]);

  // Continues a search with few matches, one part of the files at a time, until the view has enough lines.
  useEffect(() => {
    if (version !== null && buffer.shown.length < wantedAtFirst) void older();
  }, [version, buffer, older]);

  const { ended, busy } = looking.current;
  return { buffer, version, ended, busy, readTo, error, older: () => void older() };
}
