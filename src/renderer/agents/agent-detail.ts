import { useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { AgentDetail, AgentSummary } from '../../contract/model.ts';
import { useReplica } from '../state/subscriptions.ts';

export interface Detail {
  readonly detail: AgentDetail | null;
  readonly error: AppError | null;
  reload(): void;
}

/** Fetches the agent's detail again when its summary shows changed settings. */
export function useDetail(id: string, summary: AgentSummary | null): Detail {
  const { link } = useReplica();
  const [detail, setDetail] = useState<AgentDetail | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const [turn, setTurn] = useState(0);
  const settings =
    summary === null
      ? ''
      : [
          summary.life,
          summary.provider,
          summary.model,
          summary.role,
          summary.displayName,
          summary.configError?.message,
        ].join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: settings and turn are what asks for a fresh copy
  useEffect(() => {
    let left = false;
    void link.call('agents.get', { agent: id }).then((result) => {
      if (left) return;
      if (result.ok) setDetail(result.value);
      setError(result.ok ? null : result.error);
    });
    return () => {
      left = true;
    };
  }, [link, id, settings, turn]);
  return { detail, error, reload: () => setTurn((count) => count + 1) };
}
