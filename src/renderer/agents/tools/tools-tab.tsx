import type { AgentSummary } from '../../../contract/model.ts';
import { t } from '../../../language/texts.ts';
import { ErrorNote } from '../../parts/notes.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { FoldersCard } from './folders-card.tsx';
import { GrantsCard } from './grants-card.tsx';
import { ModeCard } from './mode-card.tsx';
import { RulesCard } from './rules-card.tsx';
import { SharesCard } from './shares-card.tsx';
import { ToolsCard } from './tools-card.tsx';
import type { ToolsChange } from './tools-view.ts';
import { useTools } from './use-tools.ts';

interface TabOf {
  readonly agent: AgentSummary;
  /** The permissions in force may be others now. */
  onChanged(): void;
}

export function ToolsTab({ agent, onChanged }: TabOf) {
  const { view, error, load, save: saveTools } = useTools(agent.id);
  const save = async (change: ToolsChange): Promise<boolean> => {
    const saved = await saveTools(change);
    onChanged();
    return saved;
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
            <FoldersCard agent={agent} folders={view.folders} onChanged={() => void load()} />
            <GrantsCard agent={agent.id} />
            <SharesCard agent={agent} />
          </div>
          <ToolsCard view={view} save={save} />
          <RulesCard key={JSON.stringify(view.rules)} agent={agent} view={view} save={save} />
        </div>
      )}
    </div>
  );
}
