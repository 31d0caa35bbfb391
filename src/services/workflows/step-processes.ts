/**
 * Programs of steps, for one engine: started behind a gate, guarded while they run, found again after a
 * crash.
 */
import { randomUUID } from 'node:crypto';
import type { StepCall, StepRunners } from '../../core/workflows/engine/engine-ports.ts';
import type { ExecPort } from '../../core/workflows/pipeline/pipeline-ports.ts';
import { createProcessGuard } from '../../platform/process-guard.ts';
import { endTree, processStart } from '../../platform/process-tree.ts';
import { runGated } from './gated-process.ts';
import type { Environment } from './step-environment.ts';

export interface StepPlace {
  /** An absolute path. */
  readonly cwd: string;
  readonly env: Environment;
  /** Maximum bytes of one program's output. */
  readonly maxBytes: number;
}

export interface StepProcesses {
  of(call: StepCall, place: StepPlace): ExecPort;
  readonly reap: StepRunners['reap'];
  close(): void;
}

export function createStepProcesses(shell: string): StepProcesses {
  const self = randomUUID();
  const guard = createProcessGuard(self);
  let count = 0;
  return {
    of: (call, place) => ({
      start(request, signal) {
        count += 1;
        const number = count;
        const marker = `${call.run}:${self}:${number}:`;
        const { spawned } = call;
        return runGated({ ...request, ...place, shell, guard, marker, number, spawned }, signal);
      },
    }),
    async reap({ pid, started }, run) {
      const there = started !== '' && processStart(pid) === started;
      endTree({ leader: there ? pid : null, marker: `${run}:`, except: `${run}:${self}:` });
    },
    close: () => guard.close(),
  };
}
