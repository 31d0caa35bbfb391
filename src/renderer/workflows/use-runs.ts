/** Workflow runs: live ones from the feed, and pages of all runs. */
import { useCallback, useEffect, useMemo } from 'react';
import { create, useStore } from 'zustand';
import { ok } from '../../contract/result.ts';
import type { RunStatusName, RunSummary } from '../../contract/workflow-methods.ts';
import { useReplica } from '../state/subscriptions.ts';
import { type Pages, type ReadPage, usePages } from '../state/use-pages.ts';

const none: Readonly<Record<string, RunSummary>> = {};
const newestFirst = (a: RunSummary, b: RunSummary): number => b.createdAt - a.createdAt;

/** Active runs and the latest ended ones, newest first. */
export function useLiveRuns(): readonly RunSummary[] {
  const { runs } = useReplica();
  useEffect(() => runs.use(), [runs]);
  const live = useStore(runs.store, ({ state }) => state?.runs ?? none);
  return useMemo(() => Object.values(live).sort(newestFirst), [live]);
}

/** Runs that have not ended. */
export const useOpenRuns = (): readonly RunSummary[] =>
  useLiveRuns().filter(({ status }) => status === 'running' || status === 'waiting');

/** Counts changes of the archive, because the feed does not report those of older runs. */
const useArchiveChanges = create(() => ({ count: 0 }));
export const archiveChanged = (): void => useArchiveChanges.setState(({ count }) => ({ count: count + 1 }));

export interface WantedRuns {
  readonly text: string;
  readonly status: RunStatusName | 'archived' | '';
}

export const allRuns: WantedRuns = { text: '', status: '' };

/** All runs; reloads when the feed reports a change, and shows live state from the feed. */
export function useRunPages({ text, status }: WantedRuns): Pages<RunSummary> {
  const { link } = useReplica();
  const live = useLiveRuns();
  const read: ReadPage<RunSummary> = useCallback(
    async (limit, last) => {
      const page = await link.call('runs.list', {
        limit,
        ...(text.trim() === '' ? {} : { text: text.trim() }),
        ...(status === '' ? {} : status === 'archived' ? { archived: true } : { status }),
        ...(last === undefined ? {} : { before: last.id }),
      });
      return page.ok ? ok({ items: page.value.runs, hasMore: page.value.hasMore }) : page;
    },
    [link, text, status],
  );
  const changes = useArchiveChanges(({ count }) => count);
  const pages = usePages(read, `${live.map(({ id, status: now }) => `${id} ${now}`).join()} ${changes}`);
  const byId = new Map(live.map((run) => [run.id, run]));
  return { ...pages, items: pages.items?.map((run) => byId.get(run.id) ?? run) ?? null };
}
