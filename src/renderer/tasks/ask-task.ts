/** "New task" from the palette or a shortcut: opens the tab and focuses the form. */
import { create } from 'zustand';
import { go } from '../state/route.ts';
import { useBoard } from './board-state.ts';

const useAsked = create<{ asked: boolean }>(() => ({ asked: false }));

export const useAskedTask = (): boolean => useAsked(({ asked }) => asked);
export const takeAskedTask = (): void => useAsked.setState({ asked: false });

export function askNewTask(): void {
  // Otherwise the card of the last opened task would take the focus.
  useBoard.setState({ opened: null });
  useAsked.setState({ asked: true });
  go({ view: 'work', place: null });
}
