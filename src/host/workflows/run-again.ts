import { fail } from '../../contract/fail.ts';
import type { MethodOutput, MethodParsed } from '../../contract/methods.ts';
import { err, type Result } from '../../contract/result.ts';
import { writeStable } from '../../core/lib/stable-json.ts';
import type { RunRow } from '../../core/workflows/engine/engine-ports.ts';
import { notEnded } from '../../core/workflows/engine/fork.ts';
import { pinsOf } from '../../core/workflows/engine/new-run.ts';
import { isFinished, type RunState } from '../../core/workflows/engine/run-state.ts';
import { stringifyExact } from '../../core/workflows/pipeline/exact-json.ts';
import { sha256 } from '../../services/workflows/sha256.ts';
import { loadFile } from './load-source.ts';
import type { OpenRuns } from './open-runs.ts';
import { operatorName } from './run-parties.ts';
import { startForOperator } from './start-run.ts';
import type { WorkflowFiles } from './workflow-files.ts';

type Known = MethodOutput<'runs.get'>;

export async function fileNow(
  { definition, children, origin }: RunState,
  files: WorkflowFiles,
): Promise<Known['fileNow']> {
  const file = origin?.file ?? null;
  if (file === null) return 'none';
  const loaded = await loadFile(file, files.read);
  if (!loaded.ok) return 'gone';
  const { definition: now, children: below } = loaded.value;
  if (!now) return 'changed';
  const pins = pinsOf(sha256, { definition: now, children: below });
  const same = pins.definition === definition && writeStable(pins.children) === writeStable(children);
  return same ? 'same' : 'changed';
}

export async function runAgain(
  runs: OpenRuns,
  files: () => Promise<WorkflowFiles>,
  run: string,
  { from, current, key }: MethodParsed<'runs.again'>,
): Promise<Result<RunRow>> {
  const own = key === undefined ? {} : { key };
  if (!current) {
    const idempotency = key === undefined ? {} : { idempotencyKey: key };
    const forked = runs.engine.fork({ run, from: from ?? null, by: operatorName, ...idempotency });
    runs.driver.wake();
    return forked;
  }
  const { origin, args, status } = runs.book.live(run).state;
  if (!isFinished(status)) return err(notEnded);
  if (!origin?.file) return err(fail('conflict', 'workflows.runWithoutFile'));
  const { file, cwd } = origin;
  const argsJson = stringifyExact(args);
  return startForOperator(runs, await files(), { file, cwd, argsJson, args: {}, ...own });
}
