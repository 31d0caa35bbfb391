/** Processes of agent programs, read again every two seconds while the page is visible. */
import { useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { HarnessProcessView } from '../../contract/harness-processes.ts';
import { useReplica } from '../state/subscriptions.ts';

const lookMs = 2_000;

/** A process, and the share of one processor that it used since the last look. */
export interface SeenProcess extends HarnessProcessView {
  /** `null` before the second look, and where the system does not tell. */
  readonly cpuShare: number | null;
}

export interface SeenProcesses {
  readonly processes: readonly SeenProcess[] | null;
  readonly error: AppError | null;
  reload(): Promise<void>;
}

export function useProcesses(): SeenProcesses {
  const { link } = useReplica();
  const [seen, setSeen] = useState<Looked | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const reload = useCallback(async () => {
    const found = await link.call('harnesses.processes', {});
    setError(found.ok ? null : found.error);
    if (found.ok) setSeen((before) => looked(before, found.value.processes, performance.now()));
  }, [link]);
  useEffect(() => {
    void reload();
    const look = (): void => {
      if (document.visibilityState === 'visible') void reload();
    };
    const timer = setInterval(look, lookMs);
    return () => clearInterval(timer);
  }, [reload]);
  return { processes: seen?.processes ?? null, error, reload };
}

interface Looked {
  readonly at: number;
  readonly processes: readonly SeenProcess[];
}

function looked(before: Looked | null, processes: readonly HarnessProcessView[], at: number): Looked {
  const shareOf = ({ id, usage }: HarnessProcessView): number | null => {
    const known = before?.processes.find((one) => one.id === id)?.usage ?? null;
    if (usage === null || known === null || before === null || at <= before.at) return null;
    // A child that ended takes its processor time with it.
    return Math.max(0, usage.cpuMs - known.cpuMs) / (at - before.at);
  };
  return { at, processes: processes.map((one) => ({ ...one, cpuShare: shareOf(one) })) };
}
