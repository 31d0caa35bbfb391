/** "New task" from the palette or the keyboard: the tab opens and the box has the focus. */
import { create } from 'zustand';
import { go } from '../state/route.ts';

const useAsked = create<{ asked: boolean }>(() => ({ asked: false }));

export const useAskedTask = (): boolean => useAsked(({ asked }) => asked);
export const takeAskedTask = (): void => useAsked.setState({ asked: false });

export function askNewTask(): void {
  useAsked.setState({ asked: true });
  go({ view: 'work', place: null });
}
