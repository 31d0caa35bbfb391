import { useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../../contract/errors.ts';
import type { AgentSummary } from '../../../contract/model.ts';
import { t } from '../../../language/texts.ts';
import { ErrorNote } from '../../parts/notes.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useReplica } from '../../state/subscriptions.ts';
import { ModeCard } from './mode-card.tsx';
import { RootsCard } from './roots-card.tsx';
import { RulesCard } from './rules-card.tsx';
import { SharesCard } from './shares-card.tsx';
import { ToolsCard } from './tools-card.tsx';
import type { ToolsChange, ToolsView } from './tools-view.ts';

const definedOf = (change: ToolsChange): Partial<ToolsView> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

interface TabOf {
  readonly agent: AgentSummary;
  /** The permissions in force may be others now. */
  onChanged(): void;
}

export function ToolsTab({ agent, onChanged }: TabOf) {
  const { link } = useReplica();
  const [view, setView] = useState<ToolsView | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const load = useCallback(async () => {
    const result = await link.call('agents.tools', { agent: agent.id });
    if (result.ok) setView(result.value);
    setError(result.ok ? null : result.error);
  }, [link, agent.id]);
  useEffect(() => void load(), [load]);
  const save = async (change: ToolsChange): Promise<boolean> => {
    // Optimistic update; the reload below replaces it with the host's state.
    setView((old) => (old === null ? null : { ...old, ...definedOf(change) }));
    // Lists are saved as a whole, so they must not overwrite what changed elsewhere.
    const whole = change.tools !== undefined || change.rules !== undefined;
    const version = whole ? { version: view?.version } : {};
    const result = await link.call('agents.setTools', { agent: agent.id, ...change, ...version });
    await load();
    onChanged();
    if (!result.ok) setError(result.error);
    return result.ok;
  };
  return (
    <div className="stack">
      <ErrorNote error={error} />
      {view === null && error === null && (
        <div className="two-columns is-even">
          <Skeleton words={t('tools.reading')} shape="form" card />
          <Skeleton words="" shape="rows" count={8} card />
        </div>
      )}
      {view !== null && (
        <div className="two-columns is-even">
          <div className="stack">
            <ModeCard view={view} save={save} />
            <RootsCard roots={view.roots} />
            <SharesCard agent={agent} />
          </div>
          <ToolsCard view={view} save={save} />
          <RulesCard key={JSON.stringify(view.rules)} agent={agent} view={view} save={save} />
        </div>
      )}
    </div>
  );
}
