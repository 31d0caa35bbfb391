/** Opens a task, and restores the focus in the list afterwards. */
import { type RefObject, useEffect, useRef } from 'react';
import { go } from '../state/route.ts';
import { taskPlace } from '../work/work-address.ts';
import { useBoard } from './board-state.ts';

export function openTask(id: number): void {
  useBoard.setState({ opened: id });
  go({ view: 'work', place: taskPlace(id) });
}

/** Focuses the task's button when the list is shown again. */
export function useWayBack(id: number): RefObject<HTMLButtonElement | null> {
  const place = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (useBoard.getState().opened !== id) return;
    useBoard.setState({ opened: null });
    place.current?.focus();
  }, [id]);
  return place;
}
