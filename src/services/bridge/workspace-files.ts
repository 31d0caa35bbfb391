/** Read access to an agent's workspace, for its owner only; nothing outside is ever opened (T14). */
import { isAbsolute, join, win32 } from 'node:path';
import type { AppError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { fromUtf8 } from '../../core/lib/bytes.ts';
import type { ConfinedFiles, FileEntry } from '../../core/tools/confined-files.ts';
import { workspaceOf } from './agent-views.ts';
import { type BridgeResponse, jsonResponse, refusal, textResponse } from './bridge-types.ts';
import { type BridgeRoute, findOwned } from './route-context.ts';

const maxBytes = 1024 * 1024;
const maxEntries = 10_000;
/** Bytes searched for a NUL, which marks a binary file. */
const lookedAt = 4096;

const isWhole = (path: string): boolean => isAbsolute(path) || win32.isAbsolute(path);

function fileRefusal({ code, message }: AppError): BridgeResponse {
  if (code === 'forbidden') return refusal(400, 'path escapes workspace');
  if (code === 'not_found') return refusal(404, 'path not found');
  return refusal(code === 'io_error' ? 500 : 400, message);
}

async function look(
  files: ConfinedFiles,
  path: string,
): Promise<Result<FileEntry & { readonly path: string }, BridgeResponse>> {
  if (isWhole(path)) return err(refusal(400, 'absolute path not allowed'));
  const resolved = files.resolve(path === '' ? '.' : path, 'read');
  if (!resolved.ok) return err(fileRefusal(resolved.error));
  const entry = await files.stat(resolved.value);
  return entry.ok ? ok({ ...entry.value, path: resolved.value }) : err(fileRefusal(entry.error));
}

const byKindAndName = (a: FileEntry, b: FileEntry): number => {
  const first = Number(a.kind !== 'folder') - Number(b.kind !== 'folder');
  const [left, right] = [a.name.toLowerCase(), b.name.toLowerCase()];
  return first || (left < right ? -1 : Number(left > right));
};

/**
 * A link is listed as its target. Links out of the workspace and special files are omitted, because nothing
 * opens them here (T14).
 */
async function shownEntry(files: ConfinedFiles, folder: string, entry: FileEntry): Promise<FileEntry | null> {
  if (entry.kind === 'folder' || entry.kind === 'file') return entry;
  const target = entry.kind === 'link' ? files.resolve(join(folder, entry.name), 'read') : null;
  const led = target?.ok ? await files.stat(target.value) : null;
  const isShown = led?.ok && (led.value.kind === 'folder' || led.value.kind === 'file');
  return isShown ? { ...led.value, name: entry.name } : null;
}

const entryView = ({ name, kind, size, modifiedAt }: FileEntry) => ({
  name,
  kind: kind === 'folder' ? 'dir' : 'file',
  size: kind === 'folder' ? 0 : size,
  mtime: Math.floor(modifiedAt / 1000),
});

export const listWorkspaceFiles: BridgeRoute = async (context) => {
  const found = findOwned(context, 'look into its files');
  if (!found.ok) return found.error;
  const path = context.query.get('path') ?? '';
  const files = context.home.files(found.value);
  const there = await look(files, path);
  if (!there.ok) return there.error;
  if (there.value.kind !== 'folder') {
    return refusal(400, 'path is not a directory; use /files/raw to read a file');
  }
  const listed = await files.list(there.value.path, maxEntries);
  if (!listed.ok) return fileRefusal(listed.error);
  const folder = there.value.path;
  const seen = await Promise.all(listed.value.entries.map((entry) => shownEntry(files, folder, entry)));
  const shown = seen.filter((entry) => entry !== null);
  const entries = shown.sort(byKindAndName).map(entryView);
  return jsonResponse(200, { agent_id: found.value.id, workspace: workspaceOf(found.value), path, entries });
};

export const readFile: BridgeRoute = async (context) => {
  const found = findOwned(context, 'look into its files');
  if (!found.ok) return found.error;
  const path = context.query.get('path') ?? '';
  if (path === '') return refusal(400, 'path query param required');
  const files = context.home.files(found.value);
  const there = await look(files, path);
  if (!there.ok) return there.error.status === 404 ? refusal(404, 'file not found') : there.error;
  if (there.value.kind !== 'file') return refusal(404, 'file not found');
  const read = await files.read(there.value.path, { maxBytes });
  if (!read.ok) return fileRefusal(read.error);
  const { bytes, size } = read.value;
  if (size > maxBytes) return textResponse(413, `file is ${size} bytes (cap ${maxBytes})`);
  if (bytes.subarray(0, lookedAt).includes(0)) return textResponse(415, 'binary file');
  const content = fromUtf8(bytes);
  return content === null ? textResponse(415, 'not utf-8') : textResponse(200, content);
};
