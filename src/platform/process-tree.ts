/**
 * Identifies processes, and kills one with all its descendants, including those in sessions of their own. A
 * process that leaves the session and clears its environment escapes, and only an OS sandbox ends it.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { bearsMarker } from './process-marker.ts';
import { isProcessAlive, signalProcess } from './process-signals.ts';

export interface TableRow {
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
export interface ProcessMark {
  readonly pid: number;
  /** Empty if the process does not exist. */
  readonly started: string;
}

export const markOf = (pid: number): ProcessMark => ({
  pid,
  started: processStart(pid),
});

const linuxPids = (): readonly number[] => readdirSync('/proc').map(Number).filter(Number.isInteger);

function linuxTable(): readonly TableRow[] {
  return linuxPids().flatMap((pid) => {
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
  /** Further processes of the tree, if they still run. */
  readonly also?: readonly ProcessMark[];
}

/** The system's processes. */
export interface ProcessTable {
  /** True if a process can be found by its marker. */
  readonly hasMarkers: boolean;
  /** Slow: outside Linux it starts a program, and everything waits for that. */
  rows(): readonly TableRow[];
  /** Processes with a marker of this prefix, except those with a marker of the other. */
  marked(marker: string, except?: string): readonly number[];
  isGroupAlive(leader: number): boolean;
  signal(pid: number, signal: NodeJS.Signals): void;
}

export const systemProcesses: ProcessTable = {
  hasMarkers: linux,
  rows: linux ? linuxTable : otherTable,
  marked: (marker, except) => (linux ? linuxPids().filter((pid) => bearsMarker(pid, marker, except)) : []),
  isGroupAlive: (leader) => isProcessAlive(-leader),
  signal: signalProcess,
};

/** All processes of the tree, including the leader. */
function treeOf(
  { leader, marker, except, also = [] }: TreeQuery,
  processes: ProcessTable,
): readonly number[] {
  const table = processes.rows();
  const found = new Set(processes.marked(marker, except));
  for (const { pid, started } of also) if (processStart(pid) === started) found.add(pid);
  for (const { pid, group } of table)
    if (leader !== null && (pid === leader || group === leader)) found.add(pid);
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { pid, parent } of table) if (found.has(parent)) found.add(pid);
  }
  found.delete(process.pid);
  return [...found].filter((pid) => pid > 1);
}

/** The processes of a tree, for `also` of a later query, after some of them ended. */
export const collectTree = (query: TreeQuery): readonly ProcessMark[] =>
  treeOf(query, systemProcesses)
    .map(markOf)
    .filter(({ started }) => started !== '');

/** Kills the remaining processes in the group of an ended program. */
export const endGroup = (leader: number): void => signalProcess(-leader, 'SIGKILL');

/**
 * Repeats, because a process may start another one during the search; all are stopped first, so that they
 * cannot.
 */
export function endTree(query: TreeQuery, processes = systemProcesses): void {
  for (let round = 0; round < 6; round += 1) {
    const found = treeOf(query, processes);
    if (found.length === 0) return;
    for (const pid of found) processes.signal(pid, 'SIGSTOP');
    for (const pid of found) processes.signal(pid, 'SIGKILL');
  }
}

/**
 * Kills what a program left behind at its own end. Usually nothing is left, so the table is read only if a
 * process of the group or with the marker exists, and never where it is slow to read.
 */
export function endRemaining(
  { leader, marker }: { readonly leader: number; readonly marker: string },
  processes = systemProcesses,
): void {
  if (!processes.hasMarkers) processes.signal(-leader, 'SIGKILL');
  else if (processes.isGroupAlive(leader) || processes.marked(marker).length > 0)
    endTree({ leader, marker }, processes);
}
