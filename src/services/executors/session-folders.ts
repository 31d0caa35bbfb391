/** Folders of the sessions of executors, and the refusal of an executor that does not work. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { ExecutorCheck, ExecutorKind } from '../../core/executors/executor-ports.ts';
import { say } from '../../language/say.ts';

export interface SessionFolders {
  /** Folder of the person. */
  readonly home: string;
  /** A new path, not made yet. */
  next(): string;
}

/** `folder`: absolute and real; its owner alone can read what is made below it. */
export const createSessionFolders = (folder: string, home: string): SessionFolders => ({
  home,
  next: () => join(folder, randomUUID()),
});

/** Fails closed: no other executor takes the place of one that does not work. */
export function refuseUnless(kind: ExecutorKind, check: ExecutorCheck): Result<void> {
  if (check.ok) return ok(undefined);
  const message = say('executors.notOpened', { kind, why: check.message });
  return err(appError('unavailable', message, check.mend === null ? {} : { hint: check.mend }));
}
