/** Selected rows of a list. Rows that a filter hides, or that are gone, do not count. */
import { useMemo, useRef, useState } from 'react';
import { extended, nothingSelected, selectedOnly, toggled } from './selection.ts';

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
export function useSelection(keys: readonly string[]): Selection {
  const [selected, setSelected] = useState(nothingSelected);
  const shown = useRef(keys);
  shown.current = keys;
  return useMemo(
    () => ({
      chosen: keys.filter((key) => selected.keys.has(key)),
      total: keys.length,
      has: (key) => selected.keys.has(key),
      toggle: (key) => setSelected((before) => toggled(before, key)),
      extendTo: (key, from = null) =>
        setSelected((before) => {
          const start = before.anchor === null && from !== null ? { ...before, anchor: from } : before;
          return extended(start, key, shown.current);
        }),
      all: () => setSelected(selectedOnly(shown.current)),
      only: (wanted) => setSelected(selectedOnly(wanted)),
    }),
    [keys, selected],
  );
}
