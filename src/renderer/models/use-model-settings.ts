import type { MethodOutput } from '../../contract/methods.ts';
import { type ReadState, useRead } from '../state/use-read.ts';

export type ConfigView = MethodOutput<'config.get'>;

/** Saved models and sources of keys, for every form that chooses a model. */
export const useModelSettings = (): ReadState<'config.get'> => useRead('config.get');
