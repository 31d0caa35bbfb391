/**
 * Identifies the program that owns a run by process id and start time, so that after a reboot or with a
 * reused id a dead one does not look alive. Several engines in one program are distinguished, too.
 */
import { randomUUID } from 'node:crypto';
import type { Owners } from '../../core/workflows/engine/engine-ports.ts';
import { isProcessAlive } from '../../platform/process-signals.ts';
import { processStart } from '../../platform/process-tree.ts';

export interface ProgramOwners extends Owners {
  /** Releases all runs of this engine. */
  release(): void;
}

/** The engines of this program. */
const here = new Set<string>();

const shape = /^(\d+) ([^|]*)\|[^|]+$/;

export function createOwners(): ProgramOwners {
  const program = `${process.pid} ${processStart(process.pid)}|`;
  const self = `${program}${randomUUID()}`;
  here.add(self);
  return {
    self,
    alive(owner) {
      if (owner.startsWith(program)) return here.has(owner);
      const [, pid, since] = shape.exec(owner) ?? [];
      if (pid === undefined) return false;
      // If the system does not report start times, the process id alone decides.
      return since === '' ? isProcessAlive(Number(pid)) : processStart(Number(pid)) === since;
    },
    release: () => void here.delete(self),
  };
}
