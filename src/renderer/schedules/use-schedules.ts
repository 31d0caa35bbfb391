/** Subscribes to the schedules while mounted and sorts them by name. */
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { ScheduleView } from '../../contract/schedule-methods.ts';
import { useReplica } from '../state/subscriptions.ts';
import { byWords } from '../words/order.ts';

interface Schedules {
  /** `null` until the host has sent them. */
  readonly schedules: readonly ScheduleView[] | null;
  /** Why the topic ended, or `null`. */
  readonly ended: string | null;
}

export function useSchedules(): Schedules {
  const { schedules: topic } = useReplica();
  useEffect(() => topic.use(), [topic]);
  const all = useStore(topic.store, ({ state }) => state?.schedules ?? null);
  const ended = useStore(topic.store, (value) => value.ended);
  const schedules = useMemo(
    () => (all === null ? null : Object.values(all).sort((a, b) => byWords(a.name, b.name))),
    [all],
  );
  return { schedules, ended };
}
