/**
 * Imports a `tasks.json` of a Personal Agent. The file is only read, and an invalid one imports
 * nothing. A large file does not block the event loop. A second import, or one after a failure, adds only
 * what is missing.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { appError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import { type ImportedTask, maxImportBytes, readPersonalAgentTasks } from '../../core/tasks/import-tasks.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';
import type { HostMessage } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';

/** Tasks checked or written per turn of the event loop. */
const atOnce = 100;

const corrupt = (message: HostMessage, where: string) =>
  err(appError('corrupt', message, { hint: say('tasks.repairFile'), where }));

/** `null` if the file is not readable. */
async function bytesOf(path: string): Promise<Uint8Array | 'too_large' | null> {
  try {
    // `O_NONBLOCK`, because opening a pipe without a writer would block.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const found = await file.stat();
      if (!found.isFile()) return null;
      return found.size > maxImportBytes ? 'too_large' : await file.readFile();
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

/** All tasks of the file, or the reason why none is imported. */
export async function readImport(path: string): Promise<Result<readonly ImportedTask[]>> {
  const bytes = isAbsolute(path) ? await bytesOf(path) : null;
  if (bytes === null) return err(fail('not_found', 'tasks.fileUnreadable', {}, { where: path }));
  if (bytes === 'too_large') {
    const mebibytes = maxImportBytes / 1024 / 1024;
    const message = say('tasks.fileTooLarge', { n: mebibytes });
    return err(appError('too_large', message, { hint: say('tasks.importFewerTasks'), where: path }));
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return corrupt(say('tasks.fileNotUtf8'), path);
  }
  const reading = readPersonalAgentTasks(text);
  for (let count = 1; ; count += 1) {
    const step = reading.next();
    if (step.done === true) return step.value;
    if (count % atOnce === 0) await breathe();
  }
}

export interface ImportedTasks {
  readonly added: readonly number[];
  readonly known: number;
  readonly pending: number;
}

/** In batches, each durable before the next. */
export async function addImported(
  store: Pick<TaskStore, 'addAll'>,
  tasks: readonly ImportedTask[],
): Promise<Result<ImportedTasks>> {
  const added: number[] = [];
  let [known, pending] = [0, 0];
  for (let from = 0; from < tasks.length; from += atOnce) {
    const piece = tasks.slice(from, from + atOnce);
    try {
      for (const [index, { task, isNew }] of store.addAll(piece).entries()) {
        if (isNew) added.push(task.id);
        else known += 1;
        if (isNew && piece[index]?.task.status === 'pending') pending += 1;
      }
    } catch (error) {
      if (!(error instanceof StoreError) || added.length === 0) throw error;
      const message = say('tasks.importedPartly', { why: error.message, n: added.length, all: tasks.length });
      const hint = say('tasks.importAgain');
      return err(appError(error.code, message, { hint }));
    }
    await breathe();
  }
  return ok({ added, known, pending });
}
