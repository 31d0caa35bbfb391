import { type KeyboardEvent, useEffect, useState } from 'react';
import type { WorkspaceEntry } from '../../../contract/agent-detail-methods.ts';
import type { AppError } from '../../../contract/errors.ts';
import { t } from '../../../language/texts.ts';
import { bytesWords } from '../../format/amounts.ts';
import { visibleLine } from '../../format/visible-text.ts';
import { Icon } from '../../mark/icon.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useReplica } from '../../state/subscriptions.ts';
import { byName } from './read-file.ts';

export interface OpenFile {
  readonly path: string;
  readonly entry: WorkspaceEntry;
}

interface TreeOf {
  readonly agent: string;
  readonly open: string | null;
  /** Relative to the workspace; empty for its root. */
  readonly path: string;
  /** Text for an empty folder. */
  readonly empty: string;
  onOpen(file: OpenFile): void;
}

interface Listing {
  readonly entries: readonly WorkspaceEntry[];
  readonly more: boolean;
}

const folderFirst = (a: WorkspaceEntry, b: WorkspaceEntry): number =>
  Number(b.kind === 'folder') - Number(a.kind === 'folder') || byName(a, b);

/** One folder; subfolders are read when opened. */
export function FileTree({ agent, open, path, empty, onOpen }: TreeOf) {
  const { link } = useReplica();
  const [listing, setListing] = useState<Listing | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  useEffect(() => {
    let left = false;
    void link.call('agents.files', { agent, path }).then((result) => {
      if (left) return;
      if (result.ok) setListing(result.value);
      else if (result.error.code === 'not_found') setListing({ entries: [], more: false });
      else setError(result.error);
    });
    return () => {
      left = true;
    };
  }, [link, agent, path]);
  if (error !== null) return <ErrorNote error={error} />;
  if (listing === null) return <Skeleton words={t('workspace.reading')} shape="text" count={5} />;
  if (listing.entries.length === 0) return <p className="soft tree-note">{empty}</p>;
  return (
    <>
      <ul className="file-tree">
        {listing.entries.toSorted(folderFirst).map((entry) => {
          const below = path === '' ? entry.name : `${path}/${entry.name}`;
          return (
            <li key={entry.name}>
              {entry.kind === 'folder' ? (
                <Folder agent={agent} open={open} path={below} name={entry.name} onOpen={onOpen} />
              ) : (
                <Leaf entry={entry} path={below} open={open} onOpen={onOpen} />
              )}
            </li>
          );
        })}
      </ul>
      {listing.more && <p className="soft tree-note">{t('workspace.more')}</p>}
    </>
  );
}

function Folder({ name, ...tree }: Omit<TreeOf, 'empty'> & { name: string }) {
  const [unfolded, setUnfolded] = useState(false);
  const shown = visibleLine(name);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowRight') setUnfolded(true);
    if (event.key === 'ArrowLeft') setUnfolded(false);
  };
  return (
    <>
      <button
        type="button"
        className="row file-row"
        data-item
        aria-expanded={unfolded}
        onClick={() => setUnfolded(!unfolded)}
        onKeyDown={onKey}
      >
        <span className={unfolded ? 'chevron is-open' : 'chevron'}>
          <Icon name="chevron" size={14} />
        </span>
        <bdi className="row-name">{shown}</bdi>
      </button>
      {unfolded && <FileTree {...tree} empty={t('workspace.empty')} />}
    </>
  );
}

interface LeafOf {
  readonly entry: WorkspaceEntry;
  readonly path: string;
  readonly open: string | null;
  onOpen(file: OpenFile): void;
}

function Leaf({ entry, path, open, onOpen }: LeafOf) {
  const name = visibleLine(entry.name);
  if (entry.kind !== 'file')
    return (
      <p className="row file-row soft">
        <Icon name="file" size={14} />
        <bdi className="row-name">{name}</bdi>
        <span className="fine">{entry.kind === 'link' ? t('workspace.link') : t('workspace.other')}</span>
      </p>
    );
  return (
    <button
      type="button"
      className="row file-row"
      data-item
      aria-current={path === open ? 'true' : undefined}
      onClick={() => onOpen({ path, entry })}
    >
      <Icon name="file" size={14} />
      <bdi className="row-name">{name}</bdi>
      <span className="row-time">{bytesWords(entry.size)}</span>
    </button>
  );
}
