/** Which of the two lists of the workflows stands open: remembered while the page lives. */
import { create } from 'zustand';

export type Shown = 'files' | 'runs';

export const useShownInWorkflows = create<{ shown: Shown }>(() => ({ shown: 'files' }));
export const showInWorkflows = (shown: Shown): void => useShownInWorkflows.setState({ shown });
