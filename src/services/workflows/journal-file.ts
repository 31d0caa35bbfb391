/**
 * Exports the history of one run as a file: a line of JSON for each event, in the exact text its hash covers,
 * followed by every definition and large output that they name. It promises that the file needs nothing else
 * to be verified, now or in years (docs/workflow-format.md describes how), and that an existing file is never
 * overwritten. A client without a file path, such as a page in a browser, fetches the same file piece by
 * piece.
 */
import { type FileHandle, open, rm } from 'node:fs/promises';
import { type AppError, appError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { writeStable } from '../../core/lib/stable-json.ts';
import type { Journal } from '../../core/workflows/engine/engine-ports.ts';
import {
  chainStart,
  type EventRow,
  hashText,
  type NamedText,
  rowHash,
  textsNamedBy,
} from '../../core/workflows/engine/events.ts';
import type { HostMessage } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { systemErrorCode } from '../../platform/system-error.ts';
import { sha256 } from './sha256.ts';

export interface JournalFile {
  readonly events: number;
  /**
   * The hash of the last event: anyone who records it elsewhere can later prove that no event was forged or
   * omitted.
   */
  readonly head: string;
  /** Number of definitions and outputs. */
  readonly texts: number;
}

const lost = (hash: string): AppError => fail('corrupt', 'workflows.historyDamaged', {}, { where: hash });

/** The content of the file's first line, and the texts at its end. */
interface Shape {
  readonly run: string;
  readonly events: number;
  readonly head: string;
  readonly names: readonly NamedText[];
}

function shapeOf(run: string, events: readonly EventRow[]): Shape {
  const names = new Map(events.flatMap((row) => textsNamedBy(row.event)).map((named) => [named.hash, named]));
  const last = events.at(-1);
  const head = last ? rowHash(sha256, last) : chainStart(sha256, run).hash;
  return { run, events: events.length, head, names: [...names.values()] };
}

const firstLine = ({ run, events, head, names }: Shape): string =>
  `${JSON.stringify({ kind: 'kennel-run', version: 1, run, events, head, texts: names.length })}\n`;

const eventLine = (row: EventRow): string => `${writeStable(row)}\n`;

function textLine(journal: Journal, { hash, kind }: NamedText): Result<string> {
  const text = kind === 'definition' ? journal.definition(hash) : journal.blob(hash);
  if (text === null || hashText(sha256, text) !== hash) return err(lost(hash));
  return ok(`${JSON.stringify({ hash, text })}\n`);
}

async function write(file: FileHandle, journal: Journal, run: string): Promise<Result<JournalFile>> {
  const rows = journal.events(run, 0);
  const shape = shapeOf(run, rows);
  // Not `write`, which may write only a part.
  await file.appendFile(firstLine(shape));
  for (const row of rows) await file.appendFile(eventLine(row));
  for (const named of shape.names) {
    const line = textLine(journal, named);
    if (!line.ok) return line;
    await file.appendFile(line.value);
  }
  await file.sync();
  return ok({ events: shape.events, head: shape.head, texts: shape.names.length });
}

const refusals: Readonly<Record<string, HostMessage>> = {
  EEXIST: say('workflows.pathTaken'),
  ENOENT: say('workflows.unknownParentFolder'),
  ENOSPC: say('workflows.diskFull'),
};

/** `path` is absolute; the file is readable by its owner only. */
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
    const code = systemErrorCode(error);
    // A partial file would look complete.
    if (file) await rm(path, { force: true });
    else if (code === '') throw error;
    const message = refusals[code] ?? say('workflows.fileNotWritten', { code });
    return err(appError(code === 'ENOSPC' ? 'disk_full' : 'io_error', message, { where: path }));
  } finally {
    await file?.close();
  }
}

/**
 * Start of the next piece. `events` is the count in the first line, however many exist by now. `at` is an
 * offset within the line.
 */
export interface PiecePlace {
  readonly events: number;
  readonly line: number;
  readonly at: number;
}

export interface JournalPiece {
  readonly text: string;
  /** Lines of the whole file, and how many of them are events. */
  readonly lines: number;
  readonly events: number;
  /** `null` if this was the last piece. */
  readonly next: PiecePlace | null;
}

/** Code units: escaped twice, still below the size of a frame. */
const pieceLength = 2 * 1024 * 1024;
const rowsAtATime = 1_000;

/** Yields lines from `line` on; may stop before the end of the file. */
function* linesFrom(journal: Journal, shape: Shape, line: number): Generator<Result<string>> {
  if (line === 0) yield ok(firstLine(shape));
  const after = Math.max(0, line - 1);
  const left = Math.min(rowsAtATime, shape.events - after);
  const rows = left > 0 ? journal.events(shape.run, after, left) : [];
  for (const row of rows) yield ok(eventLine(row));
  if (left === rowsAtATime) return;
  for (const named of shape.names.slice(Math.max(0, after - shape.events))) yield textLine(journal, named);
}

/** Never splits a surrogate pair. */
function cutBefore(text: string, end: number): number {
  const isHalf = end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return isHalf ? end - 1 : Math.min(end, text.length);
}

function pieceOf(journal: Journal, shape: Shape, from: PiecePlace): Result<JournalPiece> {
  const { events } = shape;
  const lines = 1 + events + shape.names.length;
  let { line, at } = from;
  let text = '';
  for (const each of linesFrom(journal, shape, line)) {
    if (!each.ok) return each;
    const end = cutBefore(each.value, at + pieceLength - text.length);
    text += each.value.slice(at, end);
    if (end < each.value.length) return ok({ text, lines, events, next: { ...from, line, at: end } });
    [line, at] = [line + 1, 0];
    if (text.length >= pieceLength) break;
  }
  return ok({ text, lines, events, next: line < lines ? { ...from, line, at } : null });
}

const takenBack = fail('conflict', 'workflows.historyChanged', {}, { help: 'workflows.saveAgain' });

/**
 * Returns the file of one run in consecutive pieces; it stays the file of the first piece, even if the run
 * continues.
 */
export function createJournalPieces(
  journal: Journal,
): (run: string, from: PiecePlace | null) => Result<JournalPiece> {
  // Cached, so that a long run is not read again for each piece.
  let known: Shape | null = null;
  return (run, from) => {
    if (from === null || known?.run !== run || known.events !== from.events)
      known = shapeOf(run, journal.events(run, 0, from?.events));
    if (from !== null && known.events !== from.events) return err(takenBack);
    const piece = pieceOf(journal, known, from ?? { events: known.events, line: 0, at: 0 });
    if (piece.ok && piece.value.next === null) known = null;
    return piece;
  };
}
