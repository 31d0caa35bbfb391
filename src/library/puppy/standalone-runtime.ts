/**
 * A workflow engine in this process, over a state folder that only its owner can open. Several processes may
 * use the folder at once; each can resume what another one left.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Log } from '../../core/ports.ts';
import { createEngine, type Engine } from '../../core/workflows/engine/engine.ts';
import type { Owners, StepRunner } from '../../core/workflows/engine/engine-ports.ts';
import type { LlmPort, NamedWorkflowsPort } from '../../core/workflows/pipeline/pipeline-ports.ts';
import { createSystemClock } from '../../services/clock/system-clock.ts';
import { createSystemRandom } from '../../services/clock/system-random.ts';
import { openWorkflowJournal, type WorkflowJournal } from '../../services/db/workflow-journal.ts';
import { createOwners } from '../../services/workflows/owners.ts';
import { sha256 } from '../../services/workflows/sha256.ts';
import { createWorkflowRunners, missingRunner } from '../../services/workflows/workflow-runners.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

export interface StandaloneRuntimeOptions {
  /** Default: `PUPPY_STATE_DIR`, else `~/.puppy`. */
  readonly stateDir?: string;
  /** Source of settings and of the variables passed to steps; `process.env` if absent. */
  readonly env?: Variables;
  /** Names of additional variables for steps; also `PUPPY_PASS_ENV`, separated by commas. */
  readonly passEnv?: readonly string[];
  /** Base of relative paths, absolute; the current folder if absent. */
  readonly root?: string;
  /** The program provides `llm.invoke` in pipelines and the steps `llm-task` and `agent`. */
  readonly llm?: LlmPort;
  readonly modelSteps?: StepRunner;
  readonly agentSteps?: StepRunner;
  /** Maximum characters of a pipeline's output. */
  readonly maxPipelineOutput?: number;
  readonly workflows?: NamedWorkflowsPort;
}

export interface StandaloneRuntime {
  readonly engine: Engine;
  readonly journal: WorkflowJournal;
  readonly owners: Owners;
  readonly stateDir: string;
  close(): void;
}

const silent: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silent,
};

export const stateFolder = (options: StandaloneRuntimeOptions): string => {
  const env = options.env ?? process.env;
  return path.resolve(options.stateDir ?? (env.PUPPY_STATE_DIR || path.join(os.homedir(), '.puppy')));
};

function ownFolder(folder: string): Result<void> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    return ok(undefined);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed';
    return err(
      fail(
        'io_error',
        'workflows.stateFolderUnusable',
        { folder, code },
        { help: 'workflows.setPuppyStateDir' },
      ),
    );
  }
}

const numberOf = (text: string | undefined): number | undefined => {
  const number = Number(text);
  return text && Number.isSafeInteger(number) && number > 0 ? number : undefined;
};

const listOf = (text: string | undefined): readonly string[] =>
  (text ?? '').split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));

export function openStandaloneRuntime(options: StandaloneRuntimeOptions = {}): Result<StandaloneRuntime> {
  const env = options.env ?? process.env;
  const stateDir = stateFolder(options);
  const folder = ownFolder(stateDir);
  if (!folder.ok) return folder;
  const clock = createSystemClock();
  const opened = openWorkflowJournal({
    path: path.join(stateDir, 'workflows.db'),
    key: null,
    clock,
    log: silent,
  });
  if (!opened.ok) return opened;
  const journal = opened.value;
  const owners = createOwners();
  const maxProgramBytes = numberOf(env.PUPPY_MAX_OUTPUT_BYTES);
  const { llm, workflows, maxPipelineOutput } = options;
  const runners = createWorkflowRunners({
    journal,
    env,
    passEnv: [...(options.passEnv ?? []), ...listOf(env.PUPPY_PASS_ENV)],
    root: options.root ?? process.cwd(),
    ...(maxProgramBytes === undefined ? {} : { maxProgramBytes }),
    ...(maxPipelineOutput === undefined ? {} : { maxPipelineOutput }),
    ...(llm ? { llm } : {}),
    ...(workflows ? { workflows } : {}),
  });
  const engine = createEngine({
    journal,
    clock,
    random: createSystemRandom(),
    owners,
    sha256,
    gates: { opened: () => undefined, reminded: () => undefined, closed: () => undefined },
    runners: {
      shell: runners.shell,
      pipeline: runners.pipeline,
      reap: runners.reap,
      model: options.modelSteps ?? missingRunner('An llm-task step'),
      agent: options.agentSteps ?? missingRunner('An agent step'),
    },
  });
  return ok({
    engine,
    journal,
    owners,
    stateDir,
    close() {
      runners.close();
      owners.release();
      journal.release();
    },
  });
}
