/** All executors of this computer, by kind. Nothing is started or looked for before the first use. */
import type { Result } from '../../contract/result.ts';
import type { Executor, ExecutorKind } from '../../core/executors/executor-ports.ts';
import type { ProcessPort } from '../../core/tools/process-ports.ts';
import type { ContainerEngine } from './container-engine.ts';
import { createContainerExecutor } from './container-executor.ts';
import { createGvisorExecutor } from './gvisor-executor.ts';
import { createMicrovmExecutor } from './microvm-executor.ts';
import { createSandboxExecutor } from './sandbox-executor.ts';
import { createSessionFolders } from './session-folders.ts';
import { createUnwalledExecutor } from './subprocess-executor.ts';

export interface ExecutorPlaces {
  /** Absolute and real; its owner alone can read what sessions keep there. */
  readonly folder: string;
  /** The data folder. */
  readonly owner: string;
  /** Environment of the person. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface ExecutorsDeps {
  readonly process: ProcessPort;
  /** Fails with a sentence if this computer has no usable container engine. */
  readonly engine: () => Promise<Result<ContainerEngine>>;
  readonly places: ExecutorPlaces;
  /** Image that `verify` of a container looks for. */
  readonly image: string;
  /** Whether programs may run without a sandbox. */
  readonly mayRunPlain: boolean;
}

export function createExecutors(deps: ExecutorsDeps): Readonly<Record<ExecutorKind, Executor>> {
  const { process, engine, image, mayRunPlain } = deps;
  const { folder, owner, env } = deps.places;
  const path = env.PATH ?? '';
  const folders = createSessionFolders(folder, env.HOME ?? '/');
  return {
    subprocess: createUnwalledExecutor({ process, folders, path, isAllowed: mayRunPlain }),
    sandbox: createSandboxExecutor({ process, folders }),
    container: createContainerExecutor({ process, folders, engine, owner, image }),
    microvm: createMicrovmExecutor({ process, folders, path, env }),
    gvisor: createGvisorExecutor({ process, folders, path }),
  };
}
