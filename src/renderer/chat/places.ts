/** Two places in the open room: the message somebody jumped to, and the first one that was new when it was opened. */
import { create } from 'zustand';

export interface Jump {
  readonly roomId: string;
  readonly id: string;
}

interface Places {
  /** Asked for, not there yet. */
  readonly jump: Jump | null;
  /** The message that is shown as found. */
  readonly target: string | null;
  readonly firstNew: string | null;
}

export const usePlaces = create<Places>(() => ({ jump: null, target: null, firstNew: null }));

export const jumpTo = (jump: Jump): void => usePlaces.setState({ jump, target: null });
export const arrive = (target: string | null): void => usePlaces.setState({ jump: null, target });
export const dropTarget = (id: string): void => {
  if (usePlaces.getState().target === id) usePlaces.setState({ target: null });
};
export const setFirstNew = (firstNew: string | null): void => usePlaces.setState({ firstNew });

export const useIsTarget = (id: string): boolean => usePlaces((places) => places.target === id);
export const useIsFirstNew = (id: string): boolean => usePlaces((places) => places.firstNew === id);

/** The first of these messages that must not be folded away; -1: any may. */
export const useKeptInSight = (ids: readonly string[]): number =>
  usePlaces(({ target, firstNew }) => ids.findIndex((id) => id === target || id === firstNew));
