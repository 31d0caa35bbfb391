/** Which agent is about to get a model of this computer; null: the question is not open. */
import { create } from 'zustand';

export const useMakingReal = create<{ agent: string | null }>(() => ({ agent: null }));

export const askMakeReal = (agent: string | null): void => useMakingReal.setState({ agent });
