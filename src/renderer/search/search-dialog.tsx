import { type KeyboardEvent, useRef } from 'react';
import type { SearchHit } from '../../contract/history-methods.ts';
import { jumpTo } from '../chat/places.ts';
import { Icon } from '../mark/icon.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useRoving } from '../parts/roving.ts';
import { Segments } from '../parts/segments.tsx';
import { go } from '../state/route.ts';
import { showServerView } from '../state/screen.ts';
import { useRooms } from '../state/subscriptions.ts';
import { plural } from '../words/amounts.ts';
import { visibleLine } from '../words/visible-text.ts';
import { HitRow } from './hit-row.tsx';
import { closeSearch, setScope, setWords, useSearch } from './search-state.ts';
import { type Results, useResults } from './use-results.ts';

export function SearchDialog() {
  const open = useSearch((search) => search.open);
  return open ? <OpenSearch /> : null;
}

function goTo(hit: SearchHit): void {
  closeSearch();
  showServerView(false);
  jumpTo({ roomId: hit.roomId, id: hit.id });
  go({ view: 'chat', room: hit.roomId });
}

function OpenSearch() {
  const { room, scope, words } = useSearch();
  const roomName = useRooms((view) => (room === null ? null : (view?.rooms[room] ?? null)));
  const results = useResults(words, scope === 'room' ? room : null);
  const place = useRef<HTMLElement>(null);
  const walk = useRoving(place);
  const onKey = (event: KeyboardEvent): void => {
    const first = results.hits?.[0];
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement && first !== undefined) {
      event.preventDefault();
      goTo(first);
    } else walk(event);
  };
  const here =
    roomName === null
      ? 'This room'
      : visibleLine(roomName.kind === 'dm' ? roomName.name : `#${roomName.name}`);
  return (
    <Dialog title="Search messages" wide onClose={closeSearch}>
      <section className="search-box" aria-label="Search" ref={place} onKeyDown={onKey}>
        <div className="search">
          <Icon name="search" size={16} />
          <input
            type="search"
            aria-label="Words to search for"
            placeholder="Words to search for"
            value={words}
            maxLength={500}
            onChange={(event) => setWords(event.target.value)}
            onFocus={(event) => event.target.select()}
          />
        </div>
        {room !== null && (
          <Segments
            label="Where to search"
            value={scope}
            options={[
              ['room', here],
              ['all', 'Everywhere'],
            ]}
            onChange={setScope}
          />
        )}
        <p className="visually-hidden" role="status">
          {spokenCount(results)}
        </p>
        <ErrorNote error={results.error} />
        <Found results={results} words={words} />
      </section>
    </Dialog>
  );
}

const spokenCount = ({ hits, busy, hasMore }: Results): string =>
  hits === null || busy ? '' : `${plural(hits.length, 'message')}${hasMore ? ' and more' : ''}`;

function Found({ results, words }: { results: Results; words: string }) {
  const { hits, busy, slow, hasMore, error } = results;
  if (slow) return <p className="search-note">Still taking in messages that are new to the search…</p>;
  if (hits === null) return error === null && !busy ? <Syntax /> : <p className="search-note">Searching…</p>;
  if (hits.length === 0)
    return (
      <div className="search-note">
        <p>
          Nothing has all of these words. Try fewer of them, or the beginning of one with a star:{' '}
          <code>plan*</code>.
        </p>
      </div>
    );
  return (
    <>
      <ul className="hits" aria-label="Messages found">
        {hits.map((hit) => (
          <HitRow key={hit.id} hit={hit} words={words} onOpen={() => goTo(hit)} />
        ))}
      </ul>
      {hasMore && (
        <button
          type="button"
          data-item
          className="button is-small older"
          disabled={busy}
          onClick={results.older}
        >
          {busy ? 'Searching…' : 'Show older ones'}
        </button>
      )}
    </>
  );
}

function Syntax() {
  return (
    <dl className="syntax">
      <dt>
        <code>picnic friday</code>
      </dt>
      <dd>messages that have both words</dd>
      <dt>
        <code>"bring a blanket"</code>
      </dt>
      <dd>these words in this order</dd>
      <dt>
        <code>plan*</code>
      </dt>
      <dd>words that begin so: plan, plans, planning</dd>
    </dl>
  );
}
