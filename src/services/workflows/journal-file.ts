/**
 * The history of one run as a file that a person keeps: a line of JSON for each event, in the very text its hash covers, and behind
 * them every definition and large output that they name. It promises that the file needs nothing else to be verified, now or in
 * years (docs/workflow-format.md says how), and that one which is there under its name stays as it is.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { type AppError, appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { writeStable } from '../../core/lib/stable-json.ts';
import type { Journal } from '../../core/workflows/engine/engine-ports.ts';
import {
  chainStart,
  hashText,
  rowHash,
  type Sha256,
  textsNamedBy,
} from '../../core/workflows/engine/events.ts';

const sha256: Sha256 = (data) => createHash('sha256').update(data).digest();

export interface JournalFile {
  readonly events: number;
  /** Of the last event: whoever notes it elsewhere knows later that nothing was made up or left out. */
  readonly head: string;
  /** Definitions and outputs. */
  readonly texts: number;
}

const lost = (hash: string): AppError =>
  appError(
    'corrupt',
    'The history of this run is damaged: something that it names is gone. Nothing was written.',
    {
      where: hash,
    },
  );

async function write(file: FileHandle, journal: Journal, run: string): Promise<Result<JournalFile>> {
  const events = journal.events(run, 0);
  const names = new Map(events.flatMap((row) => textsNamedBy(row.event)).map((named) => [named.hash, named]));
  const last = events.at(-1);
  const head = last ? rowHash(sha256, last) : chainStart(sha256, run).hash;
  const told = { kind: 'kennel-run', version: 1, run, events: events.length, head, texts: names.size };
  // Not `write`, which may write a part and say so.
  await file.appendFile(`${JSON.stringify(told)}\n`);
  for (const row of events) await file.appendFile(`${writeStable(row)}\n`);
  for (const { hash, kind } of names.values()) {
    const text = kind === 'definition' ? journal.definition(hash) : journal.blob(hash);
    if (text === null || hashText(sha256, text) !== hash) return err(lost(hash));
    await file.appendFile(`${JSON.stringify({ hash, text })}\n`);
  }
  await file.sync();
  return ok({ events: events.length, head, texts: names.size });
}

const refusals: Readonly<Record<string, string>> = {
  EEXIST: 'There is something at this place already. It was left as it is.',
  ENOENT: 'The folder for this file is not there.',
  ENOSPC: 'The disk is full. Nothing was written.',
};

/** `path` absolute; for its owner only. */
export async function writeJournalFile(
  journal: Journal,
  run: string,
  path: string,
): Promise<Result<JournalFile>> {
  let file: FileHandle | null = null;
  try {
    file = await open(path, 'wx', 0o600);
    const written = await write(file, journal, run);
    if (!written.ok) await rm(path, { force: true });
    return written;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // What is not whole would only look like it.
    if (file) await rm(path, { force: true });
    else if (code === '') throw error;
    const message = refusals[code] ?? `The file could not be written (${code}).`;
    return err(appError(code === 'ENOSPC' ? 'disk_full' : 'io_error', message, { where: path }));
  } finally {
    await file?.close();
  }
}
