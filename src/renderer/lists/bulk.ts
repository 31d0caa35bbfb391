/** Carries out one action on many items of a list, a few at a time, and keeps the failures. */
import type { Result } from '../../contract/result.ts';
import type { IconName } from '../mark/icon.tsx';
import type { ListName } from '../state/preferences.ts';
import { showNotice, showUndoable } from '../state/screen.ts';
import { type BulkOutcome, changeList, changeSelected, listState } from './list-state.ts';
import { without } from './selection.ts';

export interface BulkAction<T> {
  readonly key: string;
  readonly icon: IconName;
  readonly label: string;
  /** Asked before the action starts; absent: it starts at once. */
  readonly confirm?: (count: number) => { readonly title: string; readonly text: string };
  /** Other selected items are left out. */
  fits(item: T): boolean;
  run(item: T): Promise<Result<unknown>>;
  /** Text after all succeeded. */
  done(count: number): string;
  /** Offered with the text above, for all that succeeded. */
  undo?(items: readonly T[]): void;
}

interface BulkOf<T> {
  readonly list: ListName;
  readonly action: BulkAction<T>;
  /** All selected items. */
  readonly items: readonly T[];
  keyOf(item: T): string;
  nameOf(item: T): string;
}

const atOnce = 4;

/** Deselects what succeeded and what did not fit: failed items, those that a stop left out, and later selected ones stay selected. */
export async function runBulk<T>({ list, action, items, keyOf, nameOf }: BulkOf<T>): Promise<void> {
  if (listState(list).progress !== null) return;
  const { label, run, done } = action;
  const failures: BulkOutcome['failures'][number][] = [];
  const succeeded: T[] = [];
  const fitting = items.filter((item) => action.fits(item));
  const leftOut = items.filter((item) => !action.fits(item)).map(keyOf);
  const waiting = [...fitting];
  const tell = (): void =>
    changeList(list, {
      progress: { label, done: succeeded.length + failures.length, total: fitting.length },
    });
  const work = async (): Promise<void> => {
    while (!listState(list).isStopped) {
      const item = waiting.shift();
      if (item === undefined) return;
      const result = await run(item);
      if (result.ok) succeeded.push(item);
      else failures.push({ key: keyOf(item), name: nameOf(item), error: result.error });
      tell();
    }
  };
  changeList(list, { isStopped: false, outcome: null });
  tell();
  await Promise.all(Array.from({ length: Math.min(atOnce, fitting.length) }, work));
  const total = succeeded.length + failures.length;
  changeSelected(list, (selected) => without(selected, [...succeeded.map(keyOf), ...leftOut]));
  changeList(list, { progress: null, outcome: failures.length > 0 ? { label, total, failures } : null });
  if (succeeded.length === 0) return;
  const { undo } = action;
  if (undo) showUndoable(done(succeeded.length), () => undo(succeeded));
  else showNotice(done(succeeded.length));
}

/** Starts no further items; those that are running end. */
export const stopBulk = (list: ListName): void => changeList(list, { isStopped: true });
