/** Selected rows of a list. Rows that a filter hides, or that are gone, do not count. */
import { useEffect, useMemo, useRef } from 'react';
import type { ListName } from '../state/preferences.ts';
import { changeSelected, leaveList, useListState } from './list-state.ts';
import { extended, selectedOnly, toggled } from './selection.ts';

export interface Selection {
  /** In the order of the list. */
  readonly chosen: readonly string[];
  /** Number of rows that can be selected. */
  readonly total: number;
  has(key: string): boolean;
  toggle(key: string): void;
  /** Selects from the row that was selected last to this one. */
  extendTo(key: string, from?: string | null): void;
  all(): void;
  only(keys: readonly string[]): void;
}

/** `keys`: the rows as shown. */
export function useSelection(list: ListName, keys: readonly string[]): Selection {
  const selected = useListState(list, (state) => state.selected);
  useEffect(() => () => leaveList(list), [list]);
  const shown = useRef(keys);
  shown.current = keys;
  return useMemo(
    () => ({
      chosen: keys.filter((key) => selected.keys.has(key)),
      total: keys.length,
      has: (key) => selected.keys.has(key),
      toggle: (key) => changeSelected(list, (before) => toggled(before, key)),
      extendTo: (key, from = null) =>
        changeSelected(list, (before) => {
          const start = before.anchor === null && from !== null ? { ...before, anchor: from } : before;
          return extended(start, key, shown.current);
        }),
      all: () => changeSelected(list, () => selectedOnly(shown.current)),
      only: (wanted) => changeSelected(list, () => selectedOnly(wanted)),
    }),
    [list, keys, selected],
  );
}
