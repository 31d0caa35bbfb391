/** The open list of the workflows tab, kept in memory. */
import { create } from 'zustand';

export type ShownRun = 'files' | 'runs';

export const useShownInWorkflows = create<{ shown: ShownRun }>(() => ({ shown: 'files' }));
export const showInWorkflows = (shown: ShownRun): void => useShownInWorkflows.setState({ shown });
