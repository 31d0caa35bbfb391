import { useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../../contract/errors.ts';
import type { MethodOutput } from '../../../contract/methods.ts';
import type { AgentSummary } from '../../../contract/model.ts';
import { t } from '../../../language/texts.ts';
import { bytesWords } from '../../format/amounts.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Ago } from '../../parts/time.tsx';
import { useReplica } from '../../state/subscriptions.ts';
import { NewNote } from './new-note.tsx';
import { NotePane } from './note-pane.tsx';

type Listing = MethodOutput<'memory.list'>;

export function MemoryTab({ agent }: { agent: AgentSummary }) {
  const { link } = useReplica();
  const [listing, setListing] = useState<Listing | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const [open, setOpen] = useState<string | null>(null);
  const load = useCallback(async () => {
    const result = await link.call('memory.list', { agent: agent.id });
    if (result.ok) setListing(result.value);
    setError(result.ok ? null : result.error);
  }, [link, agent.id]);
  useEffect(() => void load(), [load]);
  return (
    <div className="stack">
      <ErrorNote error={error} />
      {listing === null && error === null && (
        <div className="memory">
          <Skeleton words={t('memory.reading')} shape="rows" card />
        </div>
      )}
      {listing !== null && (
        <div className="memory">
          <NoteList agent={agent} listing={listing} open={open} onOpen={setOpen} onChanged={load} />
          {open === null ? (
            <p className="soft memory-hint">
              {listing.notes.length === 0 ? t('memory.teaches') : t('memory.choose')}
            </p>
          ) : (
            <NotePane key={open} agent={agent.id} name={open} onChanged={() => void load()} />
          )}
        </div>
      )}
    </div>
  );
}

interface ListOf {
  readonly agent: AgentSummary;
  readonly listing: Listing;
  readonly open: string | null;
  onOpen(name: string): void;
  onChanged(): Promise<void>;
}

function NoteList({ agent, listing, open, onOpen, onChanged }: ListOf) {
  const [creating, setCreating] = useState(false);
  return (
    <section className="card" aria-label={t('memory.list')}>
      <header className="card-head">
        <h2>{t('memory.notes')}</h2>
        <IconButton icon="plus" label={t('memory.newNote')} size={18} onPress={() => setCreating(true)} />
      </header>
      {listing.notes.length === 0 && <p className="card-empty">{t('memory.nothing')}</p>}
      <ul className="rows">
        {listing.notes.map((note) => (
          <li key={note.name}>
            <button
              type="button"
              className="row"
              aria-current={note.name === open ? 'true' : undefined}
              onClick={() => onOpen(note.name)}
            >
              <span className="row-name">{note.name}</span>
              <span className="row-now">
                {note.confirmed ? bytesWords(note.bytes) : t('memory.notConfirmed')}
              </span>
              <span className="row-time">
                <Ago at={note.updatedAt} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {listing.notes.length > 0 && (
        <p className="fine card-foot">
          {t('memory.inEveryTurn', {
            count: listing.notes.length,
            bytes: bytesWords(listing.promptBytes),
          })}
        </p>
      )}
      {creating && (
        <NewNote
          agent={agent.id}
          taken={listing.notes.map((note) => note.name)}
          onMade={(name) => void onChanged().then(() => onOpen(name))}
          onClose={() => setCreating(false)}
        />
      )}
    </section>
  );
}
