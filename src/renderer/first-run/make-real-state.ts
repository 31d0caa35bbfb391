/** Agent that is about to get a local model, or `null` if the dialog is closed. */
import { create } from 'zustand';

export const useMakingReal = create<{ agent: string | null }>(() => ({ agent: null }));

export const askMakeReal = (agent: string | null): void => useMakingReal.setState({ agent });
