/**
 * Identifies processes, and kills one with all its descendants, including those in sessions of their own. A
 * process that leaves the session and clears its environment escapes, and only an OS sandbox ends it.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { bearsMarker } from './process-marker.ts';
import { signalProcess } from './process-signals.ts';

interface TableRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

const linux = process.platform === 'linux';

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** A program name may contain blanks and brackets, so the fields start after the last bracket. */
const statFields = (pid: number): readonly string[] => {
  const text = readText(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

let boot: string | null = null;
function bootId(): string {
  boot ??= readText('/proc/sys/kernel/random/boot_id').trim().slice(0, 8);
  return boot;
}

const psText = (args: readonly string[]): string =>
  spawnSync('/bin/ps', [...args], { encoding: 'utf8', env: { LC_ALL: 'C' } }).stdout ?? '';

/** Returns an empty string if the process does not exist. */
export function processStart(pid: number): string {
  if (!linux) return psText(['-o', 'lstart=', '-p', String(pid)]).trim();
  const [state = '', ...rest] = statFields(pid);
  const started = rest[18] ?? '';
  return started === '' || state === 'Z' || state === 'X' ? '' : `${started}@${bootId()}`;
}

/** Names a process also after its id was used again. */
export const markOf = (pid: number): { readonly pid: number; readonly started: string } => ({
  pid,
  started: processStart(pid),
});

function linuxTable(): readonly TableRow[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid)) return [];
    const [state, parent, group] = statFields(pid);
    if (state === undefined || state === '' || state === 'Z' || state === 'X') return [];
    return [{ pid, parent: Number(parent), group: Number(group) }];
  });
}

function otherTable(): readonly TableRow[] {
  return psText(['-axo', 'pid=,ppid=,pgid=,stat='])
    .split('\n')
    .flatMap((line) => {
      const [pid, parent, group, state = ''] = line.trim().split(/\s+/);
      if (!pid || state.startsWith('Z')) return [];
      return [{ pid: Number(pid), parent: Number(parent), group: Number(group) }];
    });
}

export interface TreeQuery {
  /** `null` if only the marker counts. */
  readonly leader: number | null;
  /** Prefix of a marker. */
  readonly marker: string;
  /** Prefix of markers to spare. */
  readonly except?: string;
}

/** All processes of the tree, including the leader. */
function treeOf({ leader, marker, except }: TreeQuery): readonly number[] {
  const table = linux ? linuxTable() : otherTable();
  const found = new Set<number>();
  for (const { pid, group } of table) {
    const own = leader !== null && (pid === leader || group === leader);
    if (own || (linux && bearsMarker(pid, marker, except))) found.add(pid);
  }
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { pid, parent } of table) if (found.has(parent)) found.add(pid);
  }
  found.delete(process.pid);
  return [...found].filter((pid) => pid > 1);
}

/** Kills the remaining processes in the group of an ended program. */
export const endGroup = (leader: number): void => signalProcess(-leader, 'SIGKILL');

/**
 * Repeats, because a process may start another one during the search; all are stopped first, so that they
 * cannot.
 */
export function endTree(query: TreeQuery): void {
  for (let round = 0; round < 6; round += 1) {
    const found = treeOf(query);
    if (found.length === 0) return;
    for (const pid of found) signalProcess(pid, 'SIGSTOP');
    for (const pid of found) signalProcess(pid, 'SIGKILL');
  }
}
