/** The form for a new workflow file, which can be asked for from anywhere. */
import { create } from 'zustand';

const useWants = create<{ asked: boolean }>(() => ({ asked: false }));

export const useAsksNewWorkflow = (): boolean => useWants((state) => state.asked);
export const askNewWorkflow = (asked: boolean): void => useWants.setState({ asked });
