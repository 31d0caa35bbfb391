/** Keyboard of a list: the arrow keys move one focus through all rows, also through those that are not rendered. */
import { type FocusEvent, type KeyboardEvent, useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { Selection } from './use-selection.ts';

export interface ListKeys {
  /** The row that Tab reaches; it is always rendered. `null` for an empty list. */
  readonly active: string | null;
  /** Ref of the element around the list, which hears its keys. */
  place(element: HTMLElement | null): void;
  /** Focuses the active row. */
  focus(): void;
  onFocus(event: FocusEvent): void;
  onKeyDown(event: KeyboardEvent): void;
}

interface ListKeysDeps {
  /** Rows that take the focus, in order. */
  readonly keys: readonly string[];
  /** The open row: Tab reaches it first. */
  readonly current: string | null;
  readonly selection?: Selection;
}

const pageRows = 10;

function target(keys: readonly string[], at: number, key: string): string | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + pageRows,
    PageUp: at - pageRows,
    Home: 0,
    End: keys.length - 1,
  };
  const to = steps[key];
  return to === undefined ? undefined : keys[Math.min(Math.max(to, 0), keys.length - 1)];
}

export function useListKeys({ keys, current, selection }: ListKeysDeps): ListKeys {
  const box = useRef<HTMLElement | null>(null);
  const place = useCallback((element: HTMLElement | null): void => {
    box.current = element;
  }, []);
  const [focused, setFocused] = useState<string | null>(null);
  const wanted = useRef<string | null>(null);
  const known = (key: string | null): boolean => key !== null && keys.includes(key);
  const active = known(focused) ? focused : known(current) ? current : (keys[0] ?? null);
  const focus = (): void =>
    box.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(active ?? '')}"] [data-item]`)?.focus();
  useLayoutEffect(() => {
    if (wanted.current === null || wanted.current !== active) return;
    wanted.current = null;
    focus();
  });
  const onFocus = ({ target: element }: FocusEvent): void => {
    const key = rowOf(element);
    if (key !== undefined && keys.includes(key)) setFocused(key);
  };
  const move = (event: KeyboardEvent, row: string | undefined): void => {
    const to = isField(event.target) ? active : target(keys, keys.indexOf(row ?? ''), event.key);
    if (to === undefined || to === null) return;
    event.preventDefault();
    if (event.shiftKey && selection && row !== undefined) selection.extendTo(to, row);
    wanted.current = to;
    setFocused(to);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // A dialog of the list is outside of it, but its events come here too.
    if (!(event.target instanceof Element) || box.current?.contains(event.target) !== true) return;
    const row = rowOf(event.target);
    const field = isField(event.target);
    if (field && event.key !== 'ArrowDown') return;
    if (selection && selectByKey(event, selection, row)) event.preventDefault();
    else if (row !== undefined || field) move(event, row);
  };
  return { active, place, focus, onFocus, onKeyDown };
}

const rowOf = (element: Element): string | undefined =>
  element.closest<HTMLElement>('[data-key]')?.dataset.key;

/** A field of the list, such as its search: the arrow down leaves it, other keys are text. */
const isField = (element: EventTarget): boolean =>
  element instanceof HTMLInputElement && element.type !== 'checkbox';

/** True if the key changed the selection. */
function selectByKey(event: KeyboardEvent, selection: Selection, row: string | undefined): boolean {
  const command = event.ctrlKey || event.metaKey;
  if (command && event.key.toLowerCase() === 'a') selection.all();
  else if (event.key === 'Escape' && selection.chosen.length > 0) selection.only([]);
  else if (row !== undefined && ((command && event.key === ' ') || (!command && event.key === 'x')))
    selection.toggle(row);
  else return false;
  return true;
}
