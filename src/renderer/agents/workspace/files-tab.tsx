import { useRef, useState } from 'react';
import type { AgentSummary } from '../../../contract/model.ts';
import { t } from '../../../language/texts.ts';
import { useRoving } from '../../parts/roving.ts';
import { ChangesList } from '../../undo/changes-list.tsx';
import { SnapshotTimeline } from '../../undo/snapshot-timeline.tsx';
import { FilePane } from './file-pane.tsx';
import { FileTree, type OpenFile } from './file-tree.tsx';

/** Folder of the workspace that receives message attachments. */
const inbox = '.puffo/inbox';

export function FilesTab({ agent }: { agent: AgentSummary }) {
  const [open, setOpen] = useState<OpenFile | null>(null);
  const [looked, setLooked] = useState(0);
  const place = useRef<HTMLElement>(null);
  const onKey = useRoving(place);
  const tree = { agent: agent.id, open: open?.path ?? null, onOpen: setOpen };
  return (
    <div className="stack">
      <SnapshotTimeline agent={agent.id} />
      <ChangesList of={{ agent: agent.id }} />
      <div className="memory">
        <section className="card" aria-label={t('workspace.title')} ref={place} onKeyDown={onKey}>
          <header className="card-head">
            <h2>{t('workspace.title')}</h2>
            <button type="button" className="button is-small" onClick={() => setLooked(looked + 1)}>
              {t('workspace.again')}
            </button>
          </header>
          <FileTree key={`all ${looked}`} {...tree} path="" empty={t('workspace.teaches')} />
          <h3 className="tree-head">{t('workspace.received')}</h3>
          <FileTree key={`inbox ${looked}`} {...tree} path={inbox} empty={t('workspace.receivedNone')} />
        </section>
        {open === null ? (
          <p className="soft memory-hint">{t('workspace.choose')}</p>
        ) : (
          <FilePane key={`${open.path} ${looked}`} agent={agent.id} file={open} />
        )}
      </div>
    </div>
  );
}
