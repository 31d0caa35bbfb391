/** Real programs for steps in a temporary folder, called as the engine does. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { StepCall, StepOutcome } from '../../src/core/workflows/engine/engine-ports.ts';
import type { StepProcess } from '../../src/core/workflows/engine/events.ts';
import type { Json, Step, StepResult } from '../../src/core/workflows/file/definition.ts';
import { definitionFrom, readWorkflow } from '../../src/core/workflows/file/read-workflow.ts';
import {
  createWorkflowRunners,
  type WorkflowRunnerOptions,
} from '../../src/services/workflows/workflow-runners.ts';
import { createMemoryJournal } from './memory-journal.ts';

export interface CallOptions {
  readonly args?: { readonly [name: string]: Json };
  readonly steps?: { readonly [id: string]: StepResult };
  readonly stdin?: Json;
  readonly from?: StepCall['from'];
  readonly signal?: AbortSignal;
  /** Absent: the last step of the file. */
  readonly step?: number;
  readonly spawned?: (process: StepProcess) => void;
}

export function createStepWorld(options: Partial<WorkflowRunnerOptions> = {}) {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'kennel-steps-')));
  const journal = createMemoryJournal();
  const marks: StepProcess[] = [];
  const runners = createWorkflowRunners({
    journal,
    root,
    env: { PATH: process.env.PATH, HOME: root, SECRET: 'hidden' },
    ...options,
  });
  const callOf = (text: string, more: CallOptions = {}): StepCall => {
    const read = definitionFrom(readWorkflow(text));
    if (!read.ok) throw new Error(`${read.error.message} ${read.error.where ?? ''}`);
    const definition = read.value;
    const step = definition.steps[more.step ?? definition.steps.length - 1] as Step;
    return {
      run: '7d0f1c52-0000-4000-8000-000000000001',
      path: step.path,
      attempt: 1,
      key: 'key-1',
      step,
      definition,
      scope: { args: more.args ?? {}, steps: more.steps ?? {}, loop: {} },
      stdin: more.stdin,
      ...(more.from ? { from: more.from } : {}),
      initiatedBy: null,
      origin: null,
      signal: more.signal ?? new AbortController().signal,
      spawned(process) {
        marks.push(process);
        more.spawned?.(process);
      },
    };
  };
  return {
    root,
    journal,
    marks,
    runners,
    run(text: string, more: CallOptions = {}): Promise<StepOutcome> {
      const call = callOf(text, more);
      return call.step.kind === 'run' ? runners.shell.run(call) : runners.pipeline.run(call);
    },
    /** Runs a single `run` step. */
    shell(line: string, more: CallOptions = {}): Promise<StepOutcome> {
      return runners.shell.run(callOf(JSON.stringify({ steps: [{ id: 'one', run: line }] }), more));
    },
    pipe(line: string, more: CallOptions = {}): Promise<StepOutcome> {
      return runners.pipeline.run(callOf(JSON.stringify({ steps: [{ id: 'one', pipeline: line }] }), more));
    },
    dispose() {
      runners.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
