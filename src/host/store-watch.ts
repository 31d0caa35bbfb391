import type { AppError } from '../contract/errors.ts';
import type { OpenFiles } from '../services/db/open-files.ts';
import type { Problems } from './problems.ts';

/** Callbacks of a store, and the open-file limit that all stores of the host share. */
export interface StoreWatch {
  readonly openFiles: OpenFiles;
  onQuarantine(movedTo: string, reason: string): void;
  onFault(fault: AppError | null): void;
}

/** Shows faults of one store as problems while they last; `what` names it for the user. */
export type WatchStore = (what: string) => StoreWatch;

export const createStoreWatch =
  (problems: Problems, openFiles: OpenFiles): WatchStore =>
  (what) => ({
    openFiles,
    onQuarantine: (movedTo, reason) =>
      problems.set(`quarantine-${what}`, 'error', {
        message: `The store of ${what} was damaged (${reason}). It was put aside as ${movedTo} and a new one was begun with what could still be read.`,
      }),
    onFault(fault) {
      if (fault) problems.set(`store-${what}`, 'error', { ...fault, message: `${what}: ${fault.message}` });
      else problems.clear(`store-${what}`);
    },
  });
