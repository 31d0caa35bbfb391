/** Turns in progress; subscribed while mounted. */
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { TurnSummary, WorkView } from '../../contract/work-methods.ts';
import { useReplica } from '../state/subscriptions.ts';

const none: WorkView['running'] = {};

export function useRunning(): Readonly<Record<string, TurnSummary>> {
  const { work } = useReplica();
  useEffect(() => work.use(), [work]);
  return useStore(work.store, (value) => value.state?.running ?? none);
}
