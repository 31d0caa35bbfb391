/** "New task" from the palette or the keyboard: the tab opens and the box has the focus. */
import { create } from 'zustand';
import { go } from '../state/route.ts';
import { useBoard } from './board-state.ts';

const useAsked = create<{ asked: boolean }>(() => ({ asked: false }));

export const useAskedTask = (): boolean => useAsked(({ asked }) => asked);
export const takeAskedTask = (): void => useAsked.setState({ asked: false });

export function askNewTask(): void {
  // The box has the focus then, not the card one came from.
  useBoard.setState({ opened: null });
  useAsked.setState({ asked: true });
  go({ view: 'work', place: null });
}
