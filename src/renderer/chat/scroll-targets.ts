/** Scroll targets of the open room: the message jumped to, and the first one that was unread at opening. */
import { create } from 'zustand';

export interface Jump {
  readonly roomId: string;
  readonly id: string;
}

interface Places {
  /** Requested jump that is not completed. */
  readonly jump: Jump | null;
  /** Id of the highlighted message. */
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

/** Index of the first message that must not be folded, or -1 if all may be folded. */
export const useKeptInSight = (ids: readonly string[]): number =>
  usePlaces(({ target, firstNew }) => ids.findIndex((id) => id === target || id === firstNew));
