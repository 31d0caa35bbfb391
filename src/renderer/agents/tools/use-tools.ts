import { useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../../contract/errors.ts';
import { useReplica } from '../../state/subscriptions.ts';
import type { ToolsChange, ToolsView } from './tools-view.ts';

const definedOf = (change: ToolsChange): Partial<ToolsView> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

export interface Tools {
  /** `null` while it loads. */
  readonly view: ToolsView | null;
  readonly error: AppError | null;
  load(): Promise<void>;
  /** Resolves to true if saved; the view is reloaded by then. */
  save(change: ToolsChange): Promise<boolean>;
}

/** Tools, folders and permissions of an agent; each change is saved at once. */
export function useTools(agent: string): Tools {
  const { link } = useReplica();
  const [view, setView] = useState<ToolsView | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const load = useCallback(async () => {
    const result = await link.call('agents.tools', { agent });
    if (result.ok) setView(result.value);
    setError(result.ok ? null : result.error);
  }, [link, agent]);
  useEffect(() => void load(), [load]);
  const save = async (change: ToolsChange): Promise<boolean> => {
    // Optimistic update; the reload below replaces it with the host's state.
    setView((old) => (old === null ? null : { ...old, ...definedOf(change) }));
    // Lists are saved as a whole, so they must not overwrite what changed elsewhere.
    const whole = change.tools !== undefined || change.rules !== undefined;
    const version = whole ? { version: view?.version } : {};
    const result = await link.call('agents.setTools', { agent, ...change, ...version });
    await load();
    if (!result.ok) setError(result.error);
    return result.ok;
  };
  return { view, error, load, save };
}
