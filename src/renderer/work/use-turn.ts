/** One turn, reloaded with a delay when the host reports a change. */
import { useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import { useReplica } from '../state/subscriptions.ts';
import { useRunning } from './use-running.ts';

type View = MethodOutput<'work.turn'>;

/** Minimum interval between reloads, in ms. */
const againMs = 400;

export function useTurn(id: string): { readonly view: View | null; readonly error: AppError | null } {
  const { link } = useReplica();
  const changed = useRunning()[id]?.changed ?? null;
  const [view, setView] = useState<View | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const agent = view?.turn.agentId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: read anew with every change
  useEffect(() => {
    let left = false;
    const read = async (): Promise<void> => {
      const found = await link.call('work.turn', { turn: id, ...(agent === undefined ? {} : { agent }) });
      if (left) return;
      setError(found.ok ? null : found.error);
      if (found.ok) setView(found.value);
    };
    const timer = setTimeout(() => void read(), agent === undefined ? 0 : againMs);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [link, id, changed]);
  return { view, error };
}
