/** Going to one task, and back to the place in the list from where one went. */
import { type RefObject, useEffect, useRef } from 'react';
import { go } from '../state/route.ts';
import { taskPlace } from '../work/places.ts';
import { useBoard } from './board-state.ts';

export function openTask(id: number): void {
  useBoard.setState({ opened: id });
  go({ view: 'work', place: taskPlace(id) });
}

/** The button that led to a task has the focus again when its list comes back. */
export function useWayBack(id: number): RefObject<HTMLButtonElement | null> {
  const place = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (useBoard.getState().opened !== id) return;
    useBoard.setState({ opened: null });
    place.current?.focus();
  }, [id]);
  return place;
}
