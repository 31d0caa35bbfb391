/** `workflows.list` and `workflows.run` of a pipeline: the files in the folder `workflows` below the root, by their names. */
import { readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Json } from '../../core/workflows/file/definition.ts';
import { readWorkflow } from '../../core/workflows/file/read-workflow.ts';
import type { JsonRecord, JsonValue } from '../../core/workflows/pipeline/exact-json.ts';
import type { NamedWorkflowsPort } from '../../core/workflows/pipeline/pipeline-ports.ts';
import { readSource, readTextFile } from './read-source.ts';
import type { Workshop } from './workshop.ts';

const extension = /\.(puppy|lobster)$/;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => extension.test(name))
      .sort();
  } catch {
    return [];
  }
}

function describe(folder: string, name: string): readonly JsonRecord[] {
  const text = readTextFile(path.join(folder, name));
  const definition = text.ok ? readWorkflow(text.value).definition : null;
  if (!definition) return [];
  const args = Object.fromEntries(
    Object.entries(definition.args).map(([arg, { type, description, default: value }]) => [
      arg,
      { type, description, required: value === undefined },
    ]),
  );
  return [{ name: name.replace(extension, ''), description: definition.description, args }];
}

async function runNamed(
  { engine }: Workshop,
  file: string,
  root: string,
  args: JsonRecord,
  signal: AbortSignal,
): Promise<Result<readonly JsonValue[]>> {
  const source = readSource({ file }, realpathSync(root));
  if (!source.ok) return source;
  const { definition, children, origin } = source.value;
  const given = args as { readonly [name: string]: Json };
  const started = engine.begin({ definition, children, origin, args: given, initiatedBy: null });
  if (!started.ok) return started;
  const { id } = started.value;
  const told = await engine.answer(id, { signal, patienceMs: 60_000 });
  if (told.ok && told.status === 'ok') return ok(told.output as readonly JsonValue[]);
  if (!told.ok) return err(appError('io_error', told.error.message));
  await engine.cancel(id, null);
  if (signal.aborted) return err(appError('cancelled', 'The workflow was stopped.'));
  const hint = 'Make it a step of a workflow file (workflow: FILE): there questions can wait.';
  return err(
    appError('unsupported', 'The workflow waits for somebody or for a time, and was cancelled.', { hint }),
  );
}

/** `workshop` is asked for when a pipeline runs, since runners are made before it. */
export function namedWorkflows(root: string, workshop: () => Workshop): NamedWorkflowsPort {
  const folder = path.join(root, 'workflows');
  return {
    list: async () => ok(namesIn(folder).flatMap((name) => describe(folder, name))),
    async run(name, args, signal) {
      const file = namesIn(folder).find((each) => each.replace(extension, '') === name);
      if (file === undefined) {
        const hint = `workflows.list shows what lies in ${folder}.`;
        return err(appError('not_found', `There is no workflow named ${name.slice(0, 100)}.`, { hint }));
      }
      return runNamed(workshop(), path.join(folder, file), root, args, signal);
    },
  };
}
