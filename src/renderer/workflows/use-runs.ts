/** Workflow runs: live ones from the feed, and pages of all runs. */
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { AppError } from '../../contract/errors.ts';
import type { RunStatusName, RunSummary } from '../../contract/workflow-methods.ts';
import { useReplica } from '../state/subscriptions.ts';

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

export interface WantedRuns {
  readonly text: string;
  readonly status: RunStatusName | '';
}

export const allRuns: WantedRuns = { text: '', status: '' };

const pageSize = 50;
/** Debounce of typing, in ms. */
const typingMs = 200;

export interface RunPages {
  /** `null` until the first page arrives. */
  readonly runs: readonly RunSummary[] | null;
  readonly more: boolean;
  readonly error: AppError | null;
  older(): void;
}

/** All runs; reloads when the feed reports a change, and shows live state from the feed. */
export function useRunPages(wanted: WantedRuns): RunPages {
  const { link } = useReplica();
  const live = useLiveRuns();
  const [read, setRead] = useState<readonly RunSummary[] | null>(null);
  const [more, setMore] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const { text, status } = wanted;
  const load = useCallback(
    async (before: readonly RunSummary[], left: () => boolean = () => false) => {
      const from = before.at(-1)?.id;
      const page = await link.call('runs.list', {
        limit: pageSize,
        ...(text.trim() === '' ? {} : { text: text.trim() }),
        ...(status === '' ? {} : { status }),
        ...(from === undefined ? {} : { before: from }),
      });
      if (left()) return;
      setError(page.ok ? null : page.error);
      if (!page.ok) return;
      setRead([...before, ...page.value.runs]);
      setMore(page.value.hasMore);
    },
    [link, text, status],
  );
  const known = live.map(({ id, status: now }) => `${id} ${now}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a run that begins or ends asks again
  useEffect(() => {
    let left = false;
    const timer = setTimeout(() => void load([], () => left), read === null ? 0 : typingMs);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [load, known]);
  const byId = new Map(live.map((run) => [run.id, run]));
  const runs = read?.map((run) => byId.get(run.id) ?? run) ?? null;
  return { runs, more, error, older: () => void load(read ?? []) };
}
