import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { SearchHit } from '../../contract/history-methods.ts';
import { t } from '../../language/texts.ts';
import { jumpTo } from '../chat/scroll-targets.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Icon } from '../mark/icon.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { code } from '../parts/rich.tsx';
import { useRoving } from '../parts/roving.ts';
import { Segments } from '../parts/segments.tsx';
import { go } from '../state/route.ts';
import { showServerView } from '../state/screen.ts';
import { useRooms } from '../state/subscriptions.ts';
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
  const { stale } = results;
  const first = results.hits?.[0];
  /** Words for which Enter was pressed before their answer arrived. */
  const entered = useRef<string | null>(null);
  useEffect(() => {
    if (stale) return;
    if (entered.current === words && first !== undefined) goTo(first);
    entered.current = null;
  }, [stale, first, words]);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
      event.preventDefault();
      if (stale) entered.current = words;
      else if (first !== undefined) goTo(first);
    } else walk(event);
  };
  const here =
    roomName === null
      ? t('search.thisRoom')
      : visibleLine(roomName.kind === 'dm' ? roomName.name : `#${roomName.name}`);
  return (
    <Dialog title={t('search.title')} wide onClose={closeSearch}>
      <section className="search-box" aria-label={t('search.search')} ref={place} onKeyDown={onKey}>
        <div className="search">
          <Icon name="search" size={16} />
          <input
            type="search"
            aria-label={t('search.words')}
            placeholder={t('search.words')}
            value={words}
            maxLength={500}
            onChange={(event) => setWords(event.target.value)}
            onFocus={(event) => event.target.select()}
          />
        </div>
        <Filters words={words} />
        {room !== null && (
          <Segments
            label={t('search.where')}
            value={scope}
            options={[
              ['room', here],
              ['all', t('search.everywhere')],
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

const filters = ['from', 'in', 'after', 'before', 'hasFile'] as const;

/** Adds a filter to the words; the host reads them. */
function Filters({ words }: { words: string }) {
  const add = (filter: string, field: HTMLInputElement | null | undefined): void => {
    setWords(`${words.trimEnd()} ${filter}`.trimStart());
    field?.focus();
    // The caret belongs after the filter, once the field has the new words.
    requestAnimationFrame(() => field?.setSelectionRange(field.value.length, field.value.length));
  };
  return (
    <fieldset className="search-filters" aria-label={t('search.filters')}>
      {filters.map((name) => (
        <button
          key={name}
          type="button"
          className="button is-small"
          onClick={(event) =>
            add(t(`search.${name}Filter`), event.currentTarget.closest('.search-box')?.querySelector('input'))
          }
        >
          {t(`search.${name}`)}
        </button>
      ))}
    </fieldset>
  );
}

function spokenCount({ hits, busy, hasMore }: Results): string {
  if (hits === null || busy) return '';
  return t(hasMore ? 'search.countAndMore' : 'search.count', { count: hits.length });
}

function Found({ results, words }: { results: Results; words: string }) {
  const { hits, busy, slow, hasMore, error } = results;
  if (slow) return <p className="search-note">{t('search.takingIn')}</p>;
  if (hits === null)
    return error === null && !busy ? <Syntax /> : <p className="search-note">{t('search.searching')}</p>;
  if (hits.length === 0)
    return (
      <div className="search-note">
        <p>{t.rich('search.nothing', { code })}</p>
      </div>
    );
  return (
    <>
      <ul className="hits" aria-label={t('search.found')}>
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
          {busy ? t('search.searching') : t('search.older')}
        </button>
      )}
    </>
  );
}

function Syntax() {
  return (
    <dl className="syntax">
      <dt>
        <code>{t('search.wordsExample')}</code>
      </dt>
      <dd>{t('search.wordsMean')}</dd>
      <dt>
        <code>{t('search.phraseExample')}</code>
      </dt>
      <dd>{t('search.phraseMeans')}</dd>
      <dt>
        <code>{t('search.starExample')}</code>
      </dt>
      <dd>{t('search.starMeans')}</dd>
      <dt>
        <code>{t('search.filterExample')}</code>
      </dt>
      <dd>{t('search.filterMeans')}</dd>
    </dl>
  );
}
