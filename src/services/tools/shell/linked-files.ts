/**
 * Finds files that a sandbox would share with the rest of the disk: a hard link needs no path out of the
 * sandbox, so its content is read and changed there, whatever the sandbox hides (T14).
 */
import { lstat } from 'node:fs/promises';
import { isInside } from '../../../core/policy/paths.ts';
import type { Clock } from '../../../core/ports.ts';
import type { SandboxPort, SandboxView } from '../../../core/tools/process-ports.ts';
import { findTrustedProgram } from '../restricted-commands/run-program.ts';
import { type FindRequest, findLinks, type LinkListing, searchTimeoutMs } from './find-links.ts';
import {
  changedFolders,
  hasTextName,
  isSameFolder,
  type KnownFolders,
  knowFolders,
} from './known-folders.ts';
import type { ShellRefusal } from './shell-assessment.ts';

export type LinkedFiles =
  /** Files with a name outside of the view, or that a writable and a read-only folder share. */
  | { readonly kind: 'found'; readonly paths: readonly string[] }
  | { readonly kind: 'unchecked'; readonly reason: string };

const maxNamed = 5;
const atOnce = 256;

export function nameSome(paths: readonly string[]): string {
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : '';
  const named = paths.slice(0, maxNamed).map((path) => path.slice(0, 200));
  return `${named.join(', ')}${more}`;
}

/** Whether the innermost folder of the view that holds the path is writable. */
function isWritable({ readable, writable }: SandboxView, path: string): boolean {
  const innermost = (roots: readonly string[]): number =>
    Math.max(-1, ...roots.filter((root) => isInside(root, path)).map((root) => root.length));
  return innermost(writable) >= innermost(readable);
}

interface LinkedFile {
  /** Number of names on the disk. */
  readonly links: number;
  readonly names: string[];
}

/** Groups the names that are still hard links by file; a name that cannot be looked up counts as shared. */
async function groupNames(names: readonly string[]): Promise<readonly LinkedFile[]> {
  const files = new Map<string, LinkedFile>();
  for (let from = 0; from < names.length; from += atOnce) {
    const some = names.slice(from, from + atOnce);
    const stats = await Promise.all(some.map((name) => lstat(name).catch(() => null)));
    some.forEach((name, index) => {
      const found = stats[index];
      if (!found) files.set(name, { links: Number.POSITIVE_INFINITY, names: [name] });
      if (!found?.isFile() || found.nlink < 2) return;
      const key = `${found.dev}:${found.ino}`;
      const file = files.get(key) ?? { links: found.nlink, names: [] };
      file.names.push(name);
      files.set(key, file);
    });
  }
  return [...files.values()];
}

/** A link made from outside to a file of the view changes no folder of it: after this time all is searched. */
const maxAgeMs = 60_000;
/** A check with more changed or new folders searches everything. */
const maxPartial = 200;

interface Search {
  readonly deps: LinkedFilesDeps;
  readonly view: SandboxView;
  readonly find: string;
  readonly signal: AbortSignal;
  /** ms of the monotonic clock at which the check ends, whatever it has searched by then. */
  readonly until: number;
}

interface Kept {
  readonly view: string;
  /** ms of the monotonic clock at the start of the last full search. */
  readonly searchedAt: number;
  readonly folders: KnownFolders;
}

const startsOf = (view: SandboxView): readonly string[] => [...new Set([...view.readable, ...view.writable])];

function look(search: Search, request: Pick<FindRequest, 'starts' | 'depth'>): Promise<LinkListing> {
  const { deps, find, view, signal, until } = search;
  const timeoutMs = Math.max(1, until - deps.clock.monotonic());
  return findLinks(deps.sandbox, { ...request, find, view, timeoutMs }, signal);
}

async function judge({ view }: Search, found: LinkListing): Promise<LinkedFiles> {
  if (found.kind === 'unchecked') return found;
  if (found.closed.length > 0)
    return { kind: 'unchecked', reason: `These folders cannot be read: ${nameSome(found.closed)}.` };
  const isShared = ({ links, names: known }: LinkedFile): boolean =>
    known.length < links || new Set(known.map((name) => isWritable(view, name))).size > 1;
  const shared = (await groupNames(found.linked)).filter(isShared);
  return { kind: 'found', paths: shared.flatMap(({ names: known }) => known) };
}

const hasNothing = (found: LinkListing): found is Extract<LinkListing, { kind: 'found' }> =>
  found.kind === 'found' && found.linked.length === 0 && found.closed.length === 0;

/**
 * Searches the folders that changed since the last search, and new ones. `null` if everything must be searched:
 * after a find, too, because the other names of a file may be in a folder that did not change.
 */
async function searchChanged(search: Search, { view, searchedAt, folders }: Kept): Promise<Kept | null> {
  const { changed, gone } = await changedFolders(folders);
  if (startsOf(search.view).some((path) => gone.includes(path))) return null;
  const at = search.deps.clock.now();
  const rest = new Map(folders);
  for (const path of gone) rest.delete(path);
  if (changed.length === 0) return { view, searchedAt, folders: rest };
  if (changed.length > maxPartial) return null;
  const near = await look(search, { starts: changed, depth: 1 });
  if (!hasNothing(near) || !near.folders.every(hasTextName)) return null;
  const starts = new Set(changed);
  const fresh = near.folders.filter((one) => !starts.has(one.path) && !isSameFolder(rest.get(one.path), one));
  if (fresh.length > maxPartial) return null;
  const deep =
    fresh.length > 0 ? await look(search, { starts: fresh.map(({ path }) => path), depth: null }) : null;
  if (deep !== null && !hasNothing(deep)) return null;
  const scanned = [...near.folders.filter(({ path }) => starts.has(path)), ...(deep?.folders ?? [])];
  const known = knowFolders(scanned, at, []);
  if (known === null) return null;
  for (const [path, folder] of known) rest.set(path, folder);
  return { view, searchedAt, folders: rest };
}

async function searchAll(search: Search, view: string): Promise<[LinkedFiles, Kept | null]> {
  const { clock } = search.deps;
  const [searchedAt, at] = [clock.monotonic(), clock.now()];
  const starts = startsOf(search.view);
  const found = await look(search, { starts, depth: null });
  const folders = hasNothing(found) ? knowFolders(found.folders, at, starts) : null;
  return [await judge(search, found), folders && { view, searchedAt, folders }];
}

const setting = 'The operator can allow it with shell.linked_files.';

/** The refusal of a shell line, for the model. */
export function linkedFilesRefusal(found: LinkedFiles): ShellRefusal {
  const what =
    found.kind === 'unchecked'
      ? `The folders could not be searched for hard links, so nothing was run. ${found.reason}`
      : `These files also have a name (hard link) outside of the sandbox, so nothing was run: ${nameSome(found.paths)}. Replace them by copies.`;
  return { reason: 'linked_files', message: `${what} ${setting}` };
}

interface LinkedFilesDeps {
  readonly sandbox: SandboxPort;
  readonly clock: Clock;
}

/** Resolves with what the sandbox would share with the rest of the disk, which no mount can prevent; else `null`. */
export type LinkedFilesCheck = (view: SandboxView, signal: AbortSignal) => Promise<LinkedFiles | null>;

/**
 * The first check searches the whole view, later ones the folders that changed meanwhile: a new name for a file
 * changes its folder.
 */
export function createLinkedFilesCheck(deps: LinkedFilesDeps): LinkedFilesCheck {
  let kept: Kept | null = null;
  return async (view, signal) => {
    const find = findTrustedProgram('find', view.writable);
    if (find === null) return { kind: 'unchecked', reason: 'The program find is missing.' };
    const search = { deps, view, find, signal, until: deps.clock.monotonic() + searchTimeoutMs };
    const key = JSON.stringify([view.readable, view.writable]);
    const isCurrent = kept?.view === key && deps.clock.monotonic() - kept.searchedAt < maxAgeMs;
    kept = isCurrent && kept ? await searchChanged(search, kept) : null;
    if (kept) return null;
    const [found, next] = await searchAll(search, key);
    kept = next;
    return found.kind === 'found' && found.paths.length === 0 ? null : found;
  };
}
