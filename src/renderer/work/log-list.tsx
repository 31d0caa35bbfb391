import { type KeyboardEvent, useId, useLayoutEffect } from 'react';
import type { LogLine } from '../../contract/work-methods.ts';
import { locale, t } from '../../language/texts.ts';
import { LogRow } from './log-row.tsx';
import type { LogState } from './use-log.ts';
import { rowHeight, type Tail, useTail } from './use-tail.ts';

/** Rows rendered beyond the visible area. */
const margin = 4;

interface ListOf {
  readonly state: LogState;
  readonly selected: LogLine | null;
  onSelect(line: LogLine | null): void;
}

/** Virtualized list: only visible rows are rendered. */
export function LogList({ state, selected, onSelect }: ListOf) {
  const { shown } = state.buffer;
  const id = useId();
  const tail = useTail(state);
  const { view, place, following, pause } = tail;
  const at = selected === null ? -1 : shown.indexOf(selected);
  const onKey = useLineKeys(state, tail, at, onSelect);
  // The whole line takes room from the list: the line it is of stays to be seen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: not while the reader scrolls or lines arrive
  useLayoutEffect(() => {
    if (place.current !== null && at >= 0) bringIntoView(place.current, at);
  }, [selected, view.height]);
  const first = Math.max(0, Math.floor(view.top / rowHeight) - margin);
  const rows = shown.slice(first, first + Math.ceil(view.height / rowHeight) + 2 * margin);
  return (
    <div className="log-place">
      <div
        className="log-lines"
        ref={place}
        role="listbox"
        tabIndex={0}
        aria-label={t('log.lines')}
        aria-activedescendant={at < first || at >= first + rows.length ? undefined : `${id}-${at}`}
        onScroll={tail.scrolled}
        onWheel={(event) => event.deltaY < 0 && pause()}
        onTouchMove={pause}
        onPointerDown={(event) => event.target === place.current && pause()}
        onKeyDown={onKey}
      >
        <div className="log-all" role="presentation" style={{ height: shown.length * rowHeight }}>
          <div
            className="log-rows"
            role="presentation"
            style={{ transform: `translateY(${first * rowHeight}px)` }}
          >
            {rows.map((line, index) => (
              <LogRow
                // The row stays and its words change: at ten thousand lines a second that is what is cheap.
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                key={index}
                id={`${id}-${first + index}`}
                line={line}
                at={first + index}
                count={shown.length}
                selected={line === selected}
                onSelect={onSelect}
                onPause={pause}
              />
            ))}
          </div>
        </div>
      </div>
      <p className="log-foot fine">
        <span>{following ? t('log.following') : t('log.paused')}</span>
        <span>{t('log.live', { shown: shown.length.toLocaleString(locale()) })}</span>
      </p>
      {!following && (
        <button
          type="button"
          className="button is-small log-end"
          title={t('log.toEnd')}
          onClick={tail.follow}
        >
          {tail.fresh > 0 ? t('log.newLines', { n: tail.fresh }) : t('log.toEnd')}
        </button>
      )}
    </div>
  );
}

function bringIntoView(box: HTMLElement, index: number): void {
  const top = index * rowHeight;
  if (top < box.scrollTop) box.scrollTop = top;
  if (top + rowHeight > box.scrollTop + box.clientHeight) box.scrollTop = top + rowHeight - box.clientHeight;
}

/** Arrow keys select a line while the list has the focus; the selected line is shown in full below it. */
function useLineKeys(
  { buffer: { shown } }: LogState,
  { place, view, pause, follow }: Tail,
  at: number,
  onSelect: ListOf['onSelect'],
): (event: KeyboardEvent) => void {
  const choose = (index: number): void => {
    const wanted = Math.min(Math.max(index, 0), shown.length - 1);
    const line = shown[wanted];
    const box = place.current;
    if (line === undefined || box === null) return;
    pause();
    onSelect(line);
    bringIntoView(box, wanted);
  };
  return (event) => {
    const page = Math.floor(view.height / rowHeight) - 1;
    const from = at < 0 ? shown.length : at;
    const steps: Partial<Record<string, () => void>> = {
      ArrowUp: () => choose(from - 1),
      ArrowDown: () => choose(from + 1),
      PageUp: () => choose(from - page),
      PageDown: () => choose(from + page),
      Home: () => choose(0),
      End: follow,
      ...(at < 0 ? {} : { Escape: () => onSelect(null) }),
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    step();
  };
}
