/** Open state of the form for a new workflow file. */
import { create } from 'zustand';

const useWants = create<{ asked: boolean }>(() => ({ asked: false }));

export const useAsksNewWorkflow = (): boolean => useWants((state) => state.asked);
export const askNewWorkflow = (asked: boolean): void => useWants.setState({ asked });
