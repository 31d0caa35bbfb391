/**
 * Finds files that a sandbox would share with the rest of the disk: a hard link needs no path out of the
 * sandbox, so its content is read and changed there, whatever the sandbox hides (T14).
 */
import { lstat } from 'node:fs/promises';
import { isInside } from '../../../core/policy/paths.ts';
import type { ProcessRequest, SandboxPort, SandboxView } from '../../../core/tools/process-ports.ts';
import { findTrustedProgram } from '../restricted-commands/run-program.ts';
import type { ShellRefusal } from './shell-assessment.ts';

type LinkedFiles =
  /** Files with a name outside of the view, or that a writable and a read-only folder share. */
  | { readonly kind: 'found'; readonly paths: readonly string[] }
  | { readonly kind: 'unchecked'; readonly reason: string };

const maxNamed = 5;
export const searchTimeoutMs = 20_000;
const atOnce = 256;
const maxListBytes = 16 * 1024 * 1024;

function nameSome(paths: readonly string[]): string {
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

/** Printed last, so that a list without it is known to be incomplete; every sandbox has it. */
const lastName = '/dev/null';

const isLast = ['-path', lastName];
const isLinked = ['-type', 'f', '-links', '+1'];
const isClosed = ['-type', 'd', '!', '(', '-readable', '-executable', ')'];
/** An entry is the letter of a type and a path. */
const search = ['(', ...isLast, '-o', ...isLinked, '-o', ...isClosed, ')', '-printf', '%y%p\\0'];

/**
 * Lists with `find`, in the same sandbox but without the right to write: it sees what the shell will see. The
 * shell itself cannot link files into the view, because each folder is a mount of its own. The exit code does
 * not count, because files may vanish during the search.
 */
async function findLinkedFiles(
  sandbox: SandboxPort,
  view: SandboxView,
  find: string,
  signal: AbortSignal,
): Promise<LinkedFiles> {
  const roots = [...new Set([...view.readable, ...view.writable])];
  const request: ProcessRequest = {
    program: find,
    args: ['-P', ...roots, lastName, ...search],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
    timeoutMs: searchTimeoutMs,
    maxStdoutBytes: maxListBytes,
    maxStderrBytes: 0,
  };
  const listed = await sandbox.run(request, { readable: roots, writable: [], network: false }, signal);
  if (!listed.ok) return { kind: 'unchecked', reason: listed.error.message };
  const { stdout, stdoutBytes, timedOut, exitCode } = listed.value;
  if (timedOut)
    return { kind: 'unchecked', reason: `Listing them took longer than ${searchTimeoutMs / 1000} s.` };
  if (stdoutBytes > stdout.length) return { kind: 'unchecked', reason: 'There are too many of them.' };
  const entries = Buffer.from(stdout).toString().split('\0').filter(Boolean);
  if (exitCode === null || entries.at(-1)?.slice(1) !== lastName)
    return { kind: 'unchecked', reason: 'The search ended too early.' };
  const named = (type: string): string[] => [
    ...new Set(entries.filter((entry) => entry.startsWith(type)).map((entry) => entry.slice(1))),
  ];
  const closed = named('d');
  if (closed.length > 0)
    return { kind: 'unchecked', reason: `These folders cannot be read: ${nameSome(closed)}.` };
  const isShared = ({ links, names: known }: LinkedFile): boolean =>
    known.length < links || new Set(known.map((name) => isWritable(view, name))).size > 1;
  const shared = (await groupNames(named('f'))).filter(isShared);
  return { kind: 'found', paths: shared.flatMap(({ names: known }) => known) };
}

const setting = 'The operator can allow it with shell.linked_files.';
const refusal = (message: string): ShellRefusal => ({
  reason: 'linked_files',
  message: `${message} ${setting}`,
});

/** Refuses if the sandbox shares a file with the rest of the disk, which no mount can prevent. */
export async function linkedFilesRefusal(
  sandbox: SandboxPort,
  view: SandboxView,
  signal: AbortSignal,
): Promise<ShellRefusal | null> {
  const find = findTrustedProgram('find', view.writable);
  if (find === null) return refusal('Hard links cannot be found here, because find is missing.');
  const found = await findLinkedFiles(sandbox, view, find, signal);
  if (found.kind === 'unchecked')
    return refusal(`The folders could not be searched for hard links, so nothing was run. ${found.reason}`);
  if (found.paths.length === 0) return null;
  return refusal(
    `These files also have a name (hard link) outside of the sandbox, so nothing was run: ${nameSome(found.paths)}. Replace them by copies.`,
  );
}
