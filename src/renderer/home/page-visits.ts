/** Loads what happened while the page was hidden and keeps it until the operator marks it as seen. */
import { useEffect } from 'react';
import { create } from 'zustand';
import type { AwayView } from '../../contract/home-methods.ts';
import type { HostClient } from '../../contract/host-api.ts';
import { useReplica } from '../state/subscriptions.ts';

/** Shorter absences do not count, in ms. */
const shortestMs = 60_000;
/** Interval in ms of reports that the page is visible, because a crashed page sends no last report. */
const everyMs = 5 * 60_000;

export const useAway = create<{ view: AwayView | null }>(() => ({ view: null }));

export const happenedNothing = ({ answered, missed, joined, decided }: AwayView): boolean =>
  answered.length + missed.length + joined.length + decided.allowed + decided.denied + decided.expired === 0;

/**
 * While a summary is unread, the time of the last visit does not advance, so that the next summary includes
 * it.
 */
async function noteSight(client: HostClient): Promise<void> {
  if (useAway.getState().view === null) await client.call('home.seen', {});
}

async function look(client: HostClient): Promise<void> {
  const result = await client.call('home.away', {});
  if (!result.ok) return;
  const view = happenedNothing(result.value) ? null : result.value;
  useAway.setState({ view });
  if (view === null) await noteSight(client);
}

export async function markSeen(client: HostClient): Promise<void> {
  useAway.setState({ view: null });
  await client.call('home.seen', {});
}

export function useSight(): void {
  const { link } = useReplica();
  useEffect(() => {
    let left = 0;
    const turned = (): void => {
      if (document.hidden) {
        left = Date.now();
        void noteSight(link);
      } else if (Date.now() - left >= shortestMs) void look(link);
    };
    void look(link);
    const timer = setInterval(() => {
      if (!document.hidden) void noteSight(link);
    }, everyMs);
    document.addEventListener('visibilitychange', turned);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', turned);
    };
  }, [link]);
}
