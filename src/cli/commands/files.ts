import { open, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errorText } from '../../contract/errors.ts';
import { filePieceBytes, maxFileBytes, maxFilesPerMessage } from '../../contract/file-methods.ts';
import { systemErrorCode } from '../../platform/system-error.ts';
import { defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { type HostSession, withHost } from '../host-call.ts';
import { CommandFailure, commandFailure, exitOk, show } from '../terminal.ts';
import { visibleTerminalLine } from '../visible-text.ts';
import { sizeText } from './file-lines.ts';

// Files are transferred to and from the host in pieces.

/** A progress line that overwrites itself, only in a terminal. */
function progressLine(
  key: 'cliFiles.adding' | 'cliFiles.saving',
  filename: string,
  size: number,
): { at(bytes: number): void; end(): void } {
  const watched = process.stderr.isTTY === true && size > filePieceBytes;
  return {
    at(bytes) {
      if (watched) {
        const name = visibleTerminalLine(filename);
        const text = copy(key, { name, done: sizeText(bytes), size: sizeText(size) });
        process.stderr.write(`\r\u001B[K${text}`);
      }
    },
    end() {
      if (watched) process.stderr.write('\r\u001B[K');
    },
  };
}

async function checkFile(path: string): Promise<number> {
  const found = await stat(path).catch((error: unknown) => {
    const why = systemErrorCode(error) ?? errorText(error);
    throw why === 'ENOENT'
      ? commandFailure('invalid_input', 'cliFiles.missing', { path })
      : commandFailure('invalid_input', 'cliFiles.cannotRead', { path, why });
  });
  if (!found.isFile()) throw commandFailure('invalid_input', 'cliFiles.notFile', { path });
  if (found.size > maxFileBytes)
    throw commandFailure('invalid_input', 'cliFiles.tooLarge', { path, size: sizeText(found.size) });
  return found.size;
}

async function putFile({ call }: HostSession, path: string, size: number): Promise<string> {
  const filename = basename(path);
  const { uploadId } = await call('files.begin', { filename, size });
  const line = progressLine('cliFiles.adding', filename, size);
  const file = await open(path);
  try {
    const piece = Buffer.alloc(filePieceBytes);
    for (let offset = 0; offset < size; ) {
      const wanted = Math.min(piece.length, size - offset);
      const { bytesRead } = await file.read(piece, 0, wanted, offset);
      if (bytesRead === 0) throw commandFailure('invalid_input', 'cliFiles.becameShorter', { path });
      const base64 = piece.subarray(0, bytesRead).toString('base64');
      ({ received: offset } = await call('files.piece', { uploadId, offset, base64 }));
      line.at(offset);
    }
    return uploadId;
  } catch (error) {
    await call('files.cancel', { uploadId }).catch(() => undefined);
    throw error;
  } finally {
    line.end();
    await file.close();
  }
}

/** Checks all files before the first upload; returns upload ids for `chat.send`. */
export async function putFiles(session: HostSession, paths: readonly string[]): Promise<string[]> {
  if (paths.length > maxFilesPerMessage)
    throw commandFailure('invalid_input', 'cliFiles.tooMany', { most: maxFilesPerMessage });
  const sizes: number[] = [];
  for (const path of paths) sizes.push(await checkFile(path));
  const uploads: string[] = [];
  try {
    for (const [at, path] of paths.entries()) uploads.push(await putFile(session, path, sizes[at] ?? 0));
  } catch (error) {
    for (const uploadId of uploads) await session.call('files.cancel', { uploadId }).catch(() => undefined);
    throw error;
  }
  return uploads;
}

interface Saved {
  readonly path: string;
  readonly mimeType: string;
  readonly size: number;
}

async function targetOf(out: string | undefined, filename: string): Promise<string> {
  if (out === undefined) return filename;
  const found = await stat(out).catch(() => null);
  return found?.isDirectory() ? join(out, filename) : out;
}

/** Never overwrites a file; removes an incomplete one. */
async function saveFile(
  { call }: HostSession,
  from: { readonly message: string; readonly index: number },
  out: string | undefined,
): Promise<Saved> {
  let piece = await call('chat.file', { ...from, offset: 0 });
  const path = await targetOf(out, piece.filename);
  const file = await open(path, 'wx').catch((error: unknown) => {
    if (systemErrorCode(error) === 'EEXIST')
      throw commandFailure(
        'invalid_input',
        'cliFiles.alreadyThere',
        { path },
        { help: 'cliFiles.nameAnother' },
      );
    throw commandFailure('invalid_input', 'cliFiles.cannotWrite', {
      path,
      why: systemErrorCode(error) ?? errorText(error),
    });
  });
  const line = progressLine('cliFiles.saving', piece.filename, piece.size);
  let offset = 0;
  try {
    for (;;) {
      const bytes = Buffer.from(piece.base64, 'base64');
      await file.write(bytes, 0, bytes.length, offset);
      offset += bytes.length;
      line.at(offset);
      if (piece.done) break;
      piece = await call('chat.file', { ...from, offset });
    }
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw error;
  } finally {
    line.end();
    await file.close().catch(() => undefined);
  }
  return { path, mimeType: piece.mimeType, size: piece.size };
}

const isOver = (error: unknown): boolean =>
  error instanceof CommandFailure && error.error.code === 'not_found' && error.error.where === 'index';

async function runFilesGet(
  args: readonly string[],
  flags: { readonly json?: boolean; readonly out?: string },
): Promise<number> {
  const [message = '', wanted = ''] = args;
  const number = wanted === '' ? null : Number(wanted);
  if (number !== null && (!Number.isInteger(number) || number < 1 || number > 50))
    throw commandFailure('invalid_input', 'cliFiles.numberFrom');
  return withHost('running-host', async (session) => {
    const saved: Saved[] = [];
    if (number !== null) saved.push(await saveFile(session, { message, index: number - 1 }, flags.out));
    else {
      for (let index = 0; index < 50; index += 1) {
        try {
          saved.push(await saveFile(session, { message, index }, flags.out));
        } catch (error) {
          if (index > 0 && isOver(error)) break;
          throw error;
        }
      }
    }
    const lines = saved.map(({ path, size }) => `${visibleTerminalLine(path)} (${sizeText(size)})`);
    show(flags.json === true, { files: saved }, lines.join('\n'));
    return exitOk;
  });
}

export const filesGetCommand = defineCommand({
  verb: 'get',
  args: '<message> [number]',
  options: [{ flags: '--out <path>' }],
  examples: [
    'files get MESSAGE',
    'files get MESSAGE 2 --out screen.png',
    'files get MESSAGE --out downloads',
  ],
  run: runFilesGet,
});
