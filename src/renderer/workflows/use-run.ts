/** One run: the fetched state, updated by its topic while it is active. */
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { AppError } from '../../contract/errors.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import type { RunGate, RunStep, RunSummary } from '../../contract/workflow-methods.ts';
import { useReplica } from '../state/subscriptions.ts';
import { nodeOf } from './step-text.ts';

type Known = MethodOutput<'runs.get'>;

export interface WholeRun
  extends Pick<Known, 'argsJson' | 'source' | 'graph' | 'outputJson' | 'forkedFrom' | 'forks' | 'fileNow'> {
  readonly run: RunSummary;
  /** In start order. */
  readonly steps: readonly RunStep[];
  /** In decision order, open gates last. */
  readonly gates: readonly RunGate[];
}

/** Steps with the same start time keep a stable order by graph row and path. */
function byStart({ nodes }: Known['graph']): (a: RunStep, b: RunStep) => number {
  const rows = new Map(nodes.map(({ id, row }) => [id, row]));
  const rowOf = ({ path }: RunStep): number => rows.get(nodeOf(path)) ?? 0;
  return (a, b) =>
    a.startedAt - b.startedAt || rowOf(a) - rowOf(b) || a.path.localeCompare(b.path, 'en', { numeric: true });
}

const byDecision = (a: RunGate, b: RunGate): number =>
  (a.decidedAt ?? Number.POSITIVE_INFINITY) - (b.decidedAt ?? Number.POSITIVE_INFINITY);

const merged = <T, K extends string>(
  known: readonly T[],
  live: Readonly<Record<string, T>>,
  key: (one: T) => K,
): T[] => [...new Map([...known.map((one) => [key(one), one] as const), ...Object.entries(live)]).values()];

export function useRun(id: string): {
  readonly whole: WholeRun | null;
  readonly error: AppError | null;
  reload(): void;
} {
  const replica = useReplica();
  const { link } = replica;
  const topic = useMemo(() => replica.run(id), [replica, id]);
  useEffect(() => topic.use(), [topic]);
  const live = useStore(topic.store, ({ state }) => state);
  const [known, setKnown] = useState<Known | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const read = useCallback(async () => {
    const result = await link.call('runs.get', { run: id });
    setError(result.ok ? null : result.error);
    if (result.ok) setKnown(result.value);
  }, [link, id]);
  const status = live?.run?.status;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it left at its end is asked for then
  useEffect(() => void read(), [read, status]);
  const whole = useMemo(() => {
    if (known === null) return null;
    // The topic of a run that ended long ago may be empty.
    const now = live?.run ? live : null;
    return {
      ...known,
      run: now?.run ?? known.run,
      steps: merged(known.steps, now?.steps ?? {}, ({ path }) => path).sort(byStart(known.graph)),
      gates: merged(known.gates, now?.gates ?? {}, (gate) => gate.id).sort(byDecision),
    };
  }, [known, live]);
  return { whole, error, reload: () => void read() };
}
