/** Carries out one action on many items, a few at a time, and keeps the failures. */
import { useRef, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';
import type { IconName } from '../mark/icon.tsx';
import { showNotice } from '../state/screen.ts';

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
}

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

export interface Bulk<T> {
  readonly progress: BulkProgress | null;
  /** The last action if parts of it failed, or `null`. */
  readonly outcome: BulkOutcome | null;
  start(action: BulkAction<T>, items: readonly T[]): Promise<void>;
  /** Starts no further items; those that are running end. */
  stop(): void;
  dismiss(): void;
}

interface BulkDeps<T> {
  keyOf(item: T): string;
  nameOf(item: T): string;
  /** Leaves only these selected: the failed ones, and those that a stop left out. */
  keep(keys: readonly string[]): void;
}

const atOnce = 4;

export function useBulk<T>({ keyOf, nameOf, keep }: BulkDeps<T>): Bulk<T> {
  const [progress, setProgress] = useState<BulkProgress | null>(null);
  const [outcome, setOutcome] = useState<BulkOutcome | null>(null);
  const stopped = useRef(false);
  const start = async ({ label, run, done }: BulkAction<T>, items: readonly T[]): Promise<void> => {
    stopped.current = false;
    setOutcome(null);
    const failures: BulkFailure[] = [];
    const waiting = [...items];
    let ended = 0;
    setProgress({ label, done: 0, total: items.length });
    const work = async (): Promise<void> => {
      for (let item = waiting.shift(); item !== undefined && !stopped.current; item = waiting.shift()) {
        const result = await run(item);
        if (!result.ok) failures.push({ key: keyOf(item), name: nameOf(item), error: result.error });
        ended += 1;
        setProgress({ label, done: ended, total: items.length });
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
    setProgress(null);
    if (ended > failures.length) showNotice(done(ended - failures.length));
    if (failures.length > 0) setOutcome({ label, total: ended, failures });
    keep([...failures.map(({ key }) => key), ...waiting.map(keyOf)]);
  };
  return {
    progress,
    outcome,
    start,
    stop: () => {
      stopped.current = true;
    },
    dismiss: () => setOutcome(null),
  };
}
