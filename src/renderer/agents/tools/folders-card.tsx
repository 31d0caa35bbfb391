import { useState } from 'react';
import type { AgentSummary } from '../../../contract/model.ts';
import { t } from '../../../language/texts.ts';
import { visibleLine } from '../../format/visible-text.ts';
import { hidden } from '../../parts/rich.tsx';
import { act } from '../../state/action.ts';
import { showNotice } from '../../state/screen.ts';
import { useReplica } from '../../state/subscriptions.ts';
import { AddFolder } from './add-folder.tsx';
import type { ToolsView } from './tools-view.ts';

interface CardOf {
  readonly agent: AgentSummary;
  readonly folders: ToolsView['folders'];
  onChanged(): void;
}

/** Folders that the agent's tools may use. */
export function FoldersCard({ agent, folders, onChanged }: CardOf) {
  const { link } = useReplica();
  const [adding, setAdding] = useState(false);
  const remove = async (path: string): Promise<void> => {
    if (!(await act(link, 'agents.removeFolder', { agent: agent.id, path }))) return;
    const name = visibleLine(agent.displayName);
    showNotice(t('tools.folderRemoved', { name, path: visibleLine(path) }));
    onChanged();
  };
  return (
    <section className="card stack" aria-labelledby="folders-title">
      <header className="card-head">
        <h2 id="folders-title">{t('tools.folders')}</h2>
        <button type="button" className="button is-small" onClick={() => setAdding(true)}>
          {t('tools.addFolder')}
        </button>
      </header>
      <ul className="logins" aria-labelledby="folders-title">
        {folders.map(({ path, mayWrite, isRemovable }, at) => (
          <li key={path}>
            <div>
              <code className="path">{visibleLine(path)}</code>
              <p className="fine">
                {at === 0 && `${t('tools.workspace')} · `}
                {t(mayWrite ? 'tools.writable' : 'tools.readable')}
              </p>
            </div>
            {isRemovable && (
              <button type="button" className="button is-small" onClick={() => void remove(path)}>
                {t.rich('tools.removeFolder', { path: visibleLine(path), hidden })}
              </button>
            )}
          </li>
        ))}
      </ul>
      {adding && (
        <AddFolder
          agent={agent}
          onClose={() => setAdding(false)}
          onAdded={() => {
            setAdding(false);
            onChanged();
          }}
        />
      )}
    </section>
  );
}
