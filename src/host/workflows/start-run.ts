import { realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fail } from '../../contract/fail.ts';
import type { MethodParsed } from '../../contract/methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { argumentsFrom } from '../../core/workflows/engine/arguments.ts';
import type { RunRow } from '../../core/workflows/engine/engine-ports.ts';
import type { RunOrigin } from '../../core/workflows/engine/events.ts';
import type { Json } from '../../core/workflows/file/definition.ts';
import { loadFile, loadPipeline, loadText, type RunnableWorkflow, runnable } from './load-source.ts';
import type { OpenRuns } from './open-runs.ts';
import { operatorName } from './run-parties.ts';
import type { WorkflowFiles } from './workflow-files.ts';

type Wish = MethodParsed<'runs.start'>;

async function load(
  { file, pipeline, text = '' }: Wish,
  files: WorkflowFiles,
): Promise<Result<RunnableWorkflow>> {
  if (pipeline !== undefined) return loadPipeline(pipeline);
  const loaded =
    file === undefined
      ? ok(await loadText(text, { file: null, folder: files.folder }, files.read))
      : await loadFile(file, files.read);
  return loaded.ok ? runnable(loaded.value) : loaded;
}

/**
 * Working folder of the steps: the requested one, else the file's; for shipped workflows the workflow folder.
 */
function folderOf({ cwd }: Wish, file: string | null, files: WorkflowFiles): Result<string> {
  const beside = file === null || files.isExample(file) ? files.folder : dirname(file);
  const wanted = cwd === undefined ? beside : resolve(files.folder, cwd);
  try {
    const real = realpathSync(wanted);
    if (statSync(real).isDirectory()) return ok(real);
  } catch {
    // Reported below.
  }
  return err(fail('not_found', 'workflows.unknownWorkingFolder', {}, { where: wanted }));
}

export interface Started {
  readonly definition: RunnableWorkflow;
  readonly origin: RunOrigin;
  readonly args: Readonly<Record<string, unknown>>;
  readonly initiatedBy: string;
  readonly key?: string | undefined;
}

export function begin(runs: OpenRuns, { definition: loaded, key, args, ...who }: Started): Result<RunRow> {
  const { definition, children } = loaded;
  const given = args as { readonly [name: string]: Json };
  const own = key === undefined ? {} : { idempotencyKey: key };
  const started = runs.engine.start({ definition, children, args: given, ...who, ...own });
  if (started.ok) runs.driver.wake();
  return started;
}

/** Starts a run for the operator or one of their schedules. */
export async function startForOperator(
  runs: OpenRuns,
  files: WorkflowFiles,
  wish: Wish,
): Promise<Result<RunRow>> {
  const definition = await load(wish, files);
  if (!definition.ok) return definition;
  const { file } = definition.value;
  const cwd = folderOf(wish, file, files);
  if (!cwd.ok) return cwd;
  const { key, argsJson } = wish;
  const args = argsJson === undefined ? ok(wish.args) : argumentsFrom(argsJson);
  if (!args.ok) return args;
  const origin = { cwd: cwd.value, file };
  return begin(runs, {
    definition: definition.value,
    origin,
    args: args.value,
    key,
    initiatedBy: operatorName,
  });
}
