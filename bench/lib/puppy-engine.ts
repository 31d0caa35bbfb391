/**
 * The workflow engine in this process, with its journal in a file (synchronous FULL) and its shell runner.
 */
import path from 'node:path';
import { createEngine, type Engine } from '../../src/core/workflows/engine/engine.ts';
import type { Envelope } from '../../src/core/workflows/engine/envelope.ts';
import type { WorkflowDefinition } from '../../src/core/workflows/file/definition.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { createSystemRandom } from '../../src/services/clock/system-random.ts';
import type { WorkflowJournal } from '../../src/services/db/workflow-journal.ts';
import { createOwners } from '../../src/services/workflows/owners.ts';
import { sha256 } from '../../src/services/workflows/sha256.ts';
import { createWorkflowRunners } from '../../src/services/workflows/workflow-runners.ts';
import { openSampleJournal } from '../../test/fakes/workflow-samples.ts';

export interface PuppyEngine {
  readonly engine: Engine;
  readonly journal: WorkflowJournal;
  /** Number of synced writes so far. */
  syncs(): number;
  /** Runs a new workflow to its end or first gate; throws if it failed. */
  run(definition: WorkflowDefinition): Promise<Envelope>;
  close(): void;
}

export function openPuppyEngine(home: string): PuppyEngine {
  const stored = openSampleJournal(path.join(home, 'workflows.db'), null);
  let syncs = 0;
  const journal: WorkflowJournal = {
    ...stored,
    append(write) {
      if (!write.unsynced) syncs += 1;
      return stored.append(write);
    },
  };
  const runners = createWorkflowRunners({ journal, env: process.env, root: home });
  const unused = {
    run: async () => ({ type: 'failed', code: 'failed', message: '', retry: false }) as const,
  };
  const engine = createEngine({
    journal,
    clock: createSystemClock(),
    random: createSystemRandom(),
    owners: createOwners(),
    sha256,
    gates: { opened: () => undefined, reminded: () => undefined, closed: () => undefined },
    runners: { ...runners, agent: unused, model: unused },
  });
  return {
    engine,
    journal,
    syncs: () => syncs,
    async run(definition) {
      const begun = engine.begin({ definition, initiatedBy: null });
      if (!begun.ok) throw new Error(begun.error.message);
      const told = await engine.answer(begun.value.id);
      if (!told.ok) throw new Error(told.error.message);
      return told;
    },
    close() {
      runners.close();
      journal.release();
    },
  };
}

/** 5 MB of JSON between two steps. */
export const largeSteps = `steps:
  - {id: a, run: 'yes 0123456789012345678901234567890123456789012345678 | head -n 100000 | awk "BEGIN{printf \\"[0\\"}{printf \\",\\\\\\"%s\\\\\\"\\", \\$0}END{print \\"]\\"}"'}
  - {id: b, run: 'wc -c', stdin: $a.json}
`;

export async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const started = performance.now();
  const value = await work();
  return { ms: performance.now() - started, value };
}
