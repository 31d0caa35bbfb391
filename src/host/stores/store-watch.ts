import { type AppError, hintOf, messageOf, textError } from '../../contract/errors.ts';
import { englishText, type HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { OpenFiles } from '../../services/db/open-files.ts';
import type { Problems } from '../problems.ts';

/** Callbacks of a store, and the open-file limit that all stores of the host share. */
export interface StoreWatch {
  readonly openFiles: OpenFiles;
  onQuarantine(movedTo: string, reason: string): void;
  onFault(fault: AppError | null): void;
}

/** Shows faults of one store as problems while they last; `what` names it for the user. */
export type WatchStore = (what: HostText) => StoreWatch;

export const createStoreWatch =
  (problems: Problems, openFiles: OpenFiles): WatchStore =>
  (what) => ({
    openFiles,
    onQuarantine: (movedTo, reason) =>
      problems.set(`quarantine-${englishText(what)}`, 'error', {
        message: say('storage.storeDamaged', { what: what, reason, path: movedTo }),
      }),
    onFault(fault) {
      if (fault)
        problems.set(
          `store-${englishText(what)}`,
          'error',
          textError(fault.code, say('storage.storeFault', { what: what, why: messageOf(fault) }), {
            hint: hintOf(fault),
          }),
        );
      else problems.clear(`store-${englishText(what)}`);
    },
  });
