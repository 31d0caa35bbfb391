import { type KeyboardEvent, type RefObject, useCallback } from 'react';

export const rovingItems = (place: Element | null | undefined): HTMLElement[] => [
  ...(place?.querySelectorAll<HTMLElement>('[data-item]') ?? []),
];

/** Roving focus in a list of buttons by Up, Down, Home and End. */
export function useRoving(place: RefObject<HTMLElement | null>): (event: KeyboardEvent) => void {
  return useCallback(
    (event) => {
      const all = rovingItems(place.current);
      const at = all.indexOf(document.activeElement as HTMLElement);
      const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
      if (next === undefined || (event.target instanceof HTMLInputElement && event.key !== 'ArrowDown'))
        return;
      event.preventDefault();
      all[Math.min(Math.max(next, 0), all.length - 1)]?.focus();
    },
    [place],
  );
}
