/**
 * Who works on a run: a program, known by its number and its start, so that neither a reboot nor a number that was given
 * again makes a dead one look alive. Several engines in one program are told apart, too.
 */
import { randomUUID } from 'node:crypto';
import type { Owners } from '../../core/workflows/engine/engine-ports.ts';
import { startOf } from './process-table.ts';

export interface ProgramOwners extends Owners {
  /** This engine works on nothing any more: what it still owns is free. */
  release(): void;
}

/** Engines of this program. */
const here = new Set<string>();

const shape = /^(\d+) ([^|]*)\|[^|]+$/;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

export function createOwners(): ProgramOwners {
  const program = `${process.pid} ${startOf(process.pid)}|`;
  const self = `${program}${randomUUID()}`;
  here.add(self);
  return {
    self,
    alive(owner) {
      if (owner.startsWith(program)) return here.has(owner);
      const [, pid, since] = shape.exec(owner) ?? [];
      if (pid === undefined) return false;
      // Where the system does not tell when a program began, its number has to do.
      return since === '' ? isRunning(Number(pid)) : startOf(Number(pid)) === since;
    },
    release: () => void here.delete(self),
  };
}
