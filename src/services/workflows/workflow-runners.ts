/**
 * The runners of steps that need only this computer: shell and pipelines. The host provides models and
 * agents.
 */

import { fail } from '../../contract/fail.ts';
import { err } from '../../contract/result.ts';
import type { Journal, StepCall, StepRunner, StepRunners } from '../../core/workflows/engine/engine-ports.ts';
import type { LlmPort, NamedWorkflowsPort } from '../../core/workflows/pipeline/pipeline-ports.ts';
import { say } from '../../language/say.ts';
import { createGateway } from './gateway.ts';
import { createPipelineRunner } from './pipeline-runner.ts';
import { createShellRunner } from './shell-runner.ts';
import { passedEnvironment } from './step-environment.ts';
import { createStepProcesses } from './step-processes.ts';

export interface WorkflowRunnerOptions {
  readonly journal: Pick<Journal, 'value' | 'setValue'>;
  /** The environment of Kennel itself; steps see only a few of its variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Additional variables that steps see. */
  readonly passEnv?: readonly string[];
  /** Absolute working folder of runs without an origin. */
  readonly root: string;
  /** Maximum bytes of one program's output; 64 MiB when absent. */
  readonly maxProgramBytes?: number;
  /** Maximum characters of JSON that a pipeline may return; as many when absent. */
  readonly maxPipelineOutput?: number;
  readonly llm?: LlmPort;
  readonly workflows?: NamedWorkflowsPort;
  readonly byAgent?: (call: StepCall) => boolean;
}

const defaultBytes = 64 * 1024 * 1024;

const noModel: LlmPort = {
  ask: async () => err(fail('unavailable', 'workflows.noModelSetUp', {}, { help: 'workflows.runInKennel' })),
};

const noNamed: NamedWorkflowsPort = {
  list: async () => ({ ok: true, value: [] }),
  run: async (name) => err(fail('not_found', 'workflows.unknownWorkflowName', { name: name.slice(0, 100) })),
};

export interface WorkflowRunners extends Pick<StepRunners, 'shell' | 'pipeline' | 'reap'> {
  /** Releases the guard process; no step may run then. */
  close(): void;
}

/** `PUPPY_SHELL` replaces /bin/sh; it must be a POSIX shell. */
export function createWorkflowRunners(options: WorkflowRunnerOptions): WorkflowRunners {
  const processes = createStepProcesses(options.env.PUPPY_SHELL || '/bin/sh');
  const shell = {
    processes,
    env: passedEnvironment(options.env, options.passEnv),
    root: options.root,
    maxBytes: options.maxProgramBytes ?? defaultBytes,
  };
  return {
    shell: createShellRunner(shell),
    pipeline: createPipelineRunner({
      ...shell,
      journal: options.journal,
      gateway: createGateway(options.env),
      llm: options.llm ?? noModel,
      workflows: options.workflows ?? noNamed,
      maxOutput: options.maxPipelineOutput ?? defaultBytes,
      byAgent: options.byAgent ?? (() => false),
    }),
    reap: processes.reap,
    close: processes.close,
  };
}

/** Stands in for steps that only a host can run. */
export const missingRunner = (what: string): StepRunner => ({
  run: async () => ({
    type: 'failed',
    code: 'failed',
    message: say('workflows.needsRunningKennel', { what }),
    retry: false,
  }),
});
