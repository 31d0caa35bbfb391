import {
  type ChangeEvent,
  type MouseEvent as ClickEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { t } from '../../language/texts.ts';
import { type ListItem, type RowRange, rangeBetween, renderedIndexes, rowTops } from './row-range.ts';
import type { Selection } from './use-selection.ts';

interface RowsOf<T extends ListItem> {
  readonly items: readonly T[];
  readonly className?: string;
  readonly label?: string;
  /** Key of the row that stays rendered, because it has or takes the focus. */
  readonly active: string | null;
  readonly selection?: Selection;
  /** Name of a row that can be selected, or `null`. */
  nameOf?(item: T): string | null;
  render(item: T): ReactNode;
}

/** Rows rendered before their height is known. */
const firstRows: RowRange = { from: 0, to: 40 };
const guessedHeight = 44;

/** A list of any length: only the rows near the visible area are rendered, and the active one. */
export function ListRows<T extends ListItem>(props: RowsOf<T>) {
  const { items, active, selection, className = 'list-rows', label } = props;
  const list = useRef<HTMLUListElement>(null);
  const { tops, range } = useVisibleRows(list, items);
  const kept = useMemo(() => items.findIndex(({ key }) => key === active), [items, active]);
  const indexes = renderedIndexes(range, items.length, kept);
  const total = tops[items.length] ?? 0;
  const end = tops[(indexes.at(-1) ?? -1) + 1] ?? 0;
  return (
    <ul
      ref={list}
      className={`${className}${(selection?.chosen.length ?? 0) > 0 ? ' is-selecting' : ''}`}
      aria-label={label}
      style={total > end ? { paddingBottom: total - end } : undefined}
      onClickCapture={(event) => selection && pickByClick(event, selection)}
    >
      {indexes.map((index, at) => {
        const item = items[index];
        if (item === undefined) return null;
        const before = at === 0 ? 0 : (tops[(indexes[at - 1] ?? 0) + 1] ?? 0);
        return <Row key={item.key} {...props} item={item} index={index} gap={(tops[index] ?? 0) - before} />;
      })}
    </ul>
  );
}

interface RowOf<T extends ListItem> extends RowsOf<T> {
  readonly item: T;
  readonly index: number;
  /** px of rows before it that are not rendered. */
  readonly gap: number;
}

function Row<T extends ListItem>({ item, index, gap, items, active, selection, nameOf, render }: RowOf<T>) {
  const name = selection && nameOf ? nameOf(item) : null;
  const picked = selection?.has(item.key) ?? false;
  return (
    <li
      data-key={item.key}
      data-kind={item.kind}
      className={`list-item is-${item.kind}${picked ? ' is-picked' : ''}`}
      aria-setsize={items.length}
      aria-posinset={index + 1}
      style={gap === 0 ? undefined : { marginTop: gap }}
    >
      {selection && name !== null && (
        <input
          type="checkbox"
          className="pick"
          tabIndex={item.key === active ? 0 : -1}
          aria-label={t('lists.select', { name })}
          checked={picked}
          onChange={(event) => pickByBox(event, selection, item.key)}
        />
      )}
      {render(item)}
    </li>
  );
}

/** The change of a box comes with the click; that click must not be prevented, or the box shows its old state. */
function pickByBox({ nativeEvent }: ChangeEvent, selection: Selection, key: string): void {
  if (nativeEvent instanceof MouseEvent && nativeEvent.shiftKey) selection.extendTo(key);
  else selection.toggle(key);
}

/** Ctrl with a click selects a row, Shift selects up to it; both instead of opening it. */
function pickByClick(event: ClickEvent, selection: Selection): void {
  const item = event.target instanceof Element ? event.target.closest('[data-item]') : null;
  const key = item?.closest<HTMLElement>('[data-key]')?.dataset.key;
  if (key === undefined || !(event.shiftKey || event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.shiftKey) selection.extendTo(key);
  else selection.toggle(key);
}

/** The nearest element that scrolls. */
function scrollerOf(element: HTMLElement | null): HTMLElement | null {
  for (let at = element; at !== null; at = at.parentElement)
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  return null;
}

function useVisibleRows(list: RefObject<HTMLUListElement | null>, items: readonly ListItem[]) {
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map());
  const [range, setRange] = useState(firstRows);
  const tops = useMemo(
    () =>
      rowTops(
        items.map(({ kind }) => kind),
        (kind) => heights.get(kind) ?? guessedHeight,
      ),
    [items, heights],
  );
  const look = useCallback((): void => {
    const scroller = scrollerOf(list.current);
    if (list.current === null || scroller === null || scroller.clientHeight === 0) return;
    const top = scroller.getBoundingClientRect().top - list.current.getBoundingClientRect().top;
    const next = rangeBetween(tops, top, top + scroller.clientHeight);
    setRange((before) => (before.from === next.from && before.to === next.to ? before : next));
  }, [list, tops]);
  useLayoutEffect(() => {
    const scroller = scrollerOf(list.current);
    if (list.current === null || scroller === null) return;
    look();
    const resized = new ResizeObserver(() => {
      if (list.current !== null) measure(list.current, setHeights);
      look();
    });
    resized.observe(scroller);
    resized.observe(list.current);
    scroller.addEventListener('scroll', look, { passive: true });
    return () => {
      resized.disconnect();
      scroller.removeEventListener('scroll', look);
    };
  }, [list, look]);
  // After each render, because a row of a new kind may be among the rendered ones.
  useLayoutEffect(() => {
    if (list.current !== null) measure(list.current, setHeights);
  });
  useLayoutEffect(() => {
    // Other heights move the rows below; the one with the focus stays in sight.
    const focused = document.activeElement;
    if (heights.size > 0 && list.current?.contains(focused)) focused?.scrollIntoView({ block: 'nearest' });
  }, [list, heights]);
  return { tops, range };
}

type SetHeights = (change: (before: ReadonlyMap<string, number>) => ReadonlyMap<string, number>) => void;

/** Takes the height of the last rendered row of each kind, because the first one may have no border. */
function measure(list: HTMLUListElement, setHeights: SetHeights): void {
  const found = new Map<string, number>();
  for (const row of list.children) {
    const kind = row instanceof HTMLElement ? (row.dataset.kind ?? '') : '';
    const { height } = row.getBoundingClientRect();
    // A hidden list has no heights.
    if (height > 0) found.set(kind, height);
  }
  setHeights((before) => {
    const isSame = [...found].every(([kind, height]) => Math.abs((before.get(kind) ?? 0) - height) < 0.5);
    return isSame ? before : new Map([...before, ...found]);
  });
}
