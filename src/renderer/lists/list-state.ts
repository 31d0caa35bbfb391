/** Selection and running action of each list, kept while a filter hides the rows or another view is open. */
import { create } from 'zustand';
import type { AppError } from '../../contract/errors.ts';
import type { ListName } from '../state/preferences.ts';
import { nothingSelected, type Selected } from './selection.ts';

interface BulkFailure {
  readonly key: string;
  readonly name: string;
  readonly error: AppError;
}

export interface BulkOutcome {
  readonly label: string;
  readonly total: number;
  readonly failures: readonly BulkFailure[];
}

export interface BulkProgress {
  readonly label: string;
  readonly done: number;
  readonly total: number;
}

interface ListState {
  readonly selected: Selected;
  readonly progress: BulkProgress | null;
  /** The running action starts no further items. */
  readonly isStopped: boolean;
  /** The last action if parts of it failed, or `null`. */
  readonly outcome: BulkOutcome | null;
}

const initial: ListState = { selected: nothingSelected, progress: null, isStopped: false, outcome: null };

const useLists = create<Readonly<Record<ListName, ListState>>>(() => ({
  agents: initial,
  tasks: initial,
  runs: initial,
  turns: initial,
}));

export const useListState = <T>(list: ListName, pick: (state: ListState) => T): T =>
  useLists((all) => pick(all[list]));

export const listState = (list: ListName): ListState => useLists.getState()[list];

export const changeList = (list: ListName, change: Partial<ListState>): void =>
  useLists.setState((all) => ({ [list]: { ...all[list], ...change } }));

export const changeSelected = (list: ListName, change: (before: Selected) => Selected): void =>
  changeList(list, { selected: change(listState(list).selected) });

/** Clears the selection of a list that leaves the screen, unless an action needs it. */
export function leaveList(list: ListName): void {
  const { progress, outcome } = listState(list);
  if (progress === null && outcome === null) changeSelected(list, () => nothingSelected);
}
