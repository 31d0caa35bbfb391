/** The open list of the workflows tab, kept in memory. */
import { create } from 'zustand';

export type Shown = 'files' | 'runs';

export const useShownInWorkflows = create<{ shown: Shown }>(() => ({ shown: 'files' }));
export const showInWorkflows = (shown: Shown): void => useShownInWorkflows.setState({ shown });
