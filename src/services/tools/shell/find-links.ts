/**
 * Lists hard links, unreadable folders and all folders with `find`, in the sandbox but without the right to
 * write: it sees what the shell will see. The shell itself cannot link files into the view, because each folder
 * is a mount of its own.
 */
import type { ProcessRequest, SandboxPort, SandboxView } from '../../../core/tools/process-ports.ts';
import type { FoundFolder } from './known-folders.ts';

/** For all searches of one check. */
export const searchTimeoutMs = 20_000;
const maxListBytes = 64 * 1024 * 1024;

export interface FindRequest {
  readonly find: string;
  readonly view: SandboxView;
  /** Absolute paths inside the view. */
  readonly starts: readonly string[];
  /** 1 for the entries of each start; `null` for everything below. */
  readonly depth: 1 | null;
  readonly timeoutMs: number;
}

export type LinkListing =
  | {
      readonly kind: 'found';
      /** Names of files that have more than one. */
      readonly linked: readonly string[];
      /** Folders that cannot be read. */
      readonly closed: readonly string[];
      readonly folders: readonly FoundFolder[];
    }
  | { readonly kind: 'unchecked'; readonly reason: string };

/** Printed last, so that a list without it is known to be incomplete; every sandbox has it. */
const lastName = '/dev/null';

const isLast = ['-path', lastName];
const isLinked = ['-type', 'f', '-links', '+1'];
const isClosed = ['-type', 'd', '!', '(', '-readable', '-executable', ')'];
/** An entry is the letter of a type and a path. */
const named = ['(', ...isLast, '-o', ...isLinked, '-o', ...isClosed, ')', '-printf', '%y%p\\0'];
/** A folder is a second entry, from a `stat` before its entries are read. */
const folders = ['-type', 'd', '-printf', 's%D:%i:%C@ %p\\0'];

const signature = /^s(\d+):(\d+):(-?\d+)\.(\d{9})\d* (.*)$/s;

function readFolder(entry: string): FoundFolder[] {
  const [, dev, ino, seconds, nanoseconds, path] = signature.exec(entry) ?? [];
  if (path === undefined) return [];
  return [{ path, file: `${dev}:${ino}`, changedNs: BigInt(`${seconds}${nanoseconds}`) }];
}

/** The exit code does not count, because files may vanish during the search. */
export async function findLinks(
  sandbox: SandboxPort,
  { find, view, starts, depth, timeoutMs }: FindRequest,
  signal: AbortSignal,
): Promise<LinkListing> {
  const limit = depth === null ? [] : ['-maxdepth', String(depth)];
  const request: ProcessRequest = {
    program: find,
    args: ['-P', ...starts, lastName, ...limit, ...named, ',', ...folders],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
    timeoutMs,
    maxStdoutBytes: maxListBytes,
    maxStderrBytes: 0,
  };
  const readable = [...new Set([...view.readable, ...view.writable])];
  const listed = await sandbox.run(request, { readable, writable: [], network: false }, signal);
  if (!listed.ok) return { kind: 'unchecked', reason: listed.error.message };
  const { stdout, stdoutBytes, timedOut, exitCode } = listed.value;
  if (timedOut)
    return { kind: 'unchecked', reason: `Listing them took longer than ${searchTimeoutMs / 1000} s.` };
  if (stdoutBytes > stdout.length) return { kind: 'unchecked', reason: 'There are too many of them.' };
  const entries = Buffer.from(stdout).toString().split('\0').filter(Boolean);
  if (exitCode === null || entries.at(-1)?.slice(1) !== lastName)
    return { kind: 'unchecked', reason: 'The search ended too early.' };
  const ofType = (type: string): string[] => [
    ...new Set(entries.filter((entry) => entry.startsWith(type)).map((entry) => entry.slice(1))),
  ];
  return { kind: 'found', linked: ofType('f'), closed: ofType('d'), folders: entries.flatMap(readFolder) };
}
