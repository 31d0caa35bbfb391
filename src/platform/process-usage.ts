/** Processor time, memory and open files of a tree of processes, from /proc of Linux. */
import { readdirSync, readFileSync } from 'node:fs';
import { collectTree, type TreeQuery } from './process-tree.ts';

export interface TreeUsage {
  readonly processes: number;
  /** Processor time of the processes that run now. */
  readonly cpuMs: number;
  /** Resident memory; pages that processes share count once for each. */
  readonly memoryBytes: number;
  readonly openFiles: number;
}

/** Linux counts processor time in hundredths of a second for programs, whatever its own clock. */
const tickMs = 10;

/** `null` where the system does not tell, and if no process of the tree runs. */
export function readTreeUsage(query: TreeQuery): TreeUsage | null {
  if (process.platform !== 'linux') return null;
  const each = collectTree(query).flatMap(({ pid }) => readUsage(pid) ?? []);
  if (each.length === 0) return null;
  const sum = (of: (usage: ProcessUsage) => number): number => each.reduce((all, one) => all + of(one), 0);
  return {
    processes: each.length,
    cpuMs: sum(({ cpuMs }) => cpuMs),
    memoryBytes: sum(({ memoryBytes }) => memoryBytes),
    openFiles: sum(({ openFiles }) => openFiles),
  };
}

type ProcessUsage = Omit<TreeUsage, 'processes'>;

/** `null` if the process ended meanwhile. */
function readUsage(pid: number): ProcessUsage | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before the last bracket may contain blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const memory = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
    return {
      cpuMs: (Number(fields[11]) + Number(fields[12])) * tickMs,
      memoryBytes: Number(memory) * 1024,
      openFiles: countFiles(pid),
    };
  } catch {
    return null;
  }
}

/** 0 if the process does not let its owner look. */
function countFiles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}
